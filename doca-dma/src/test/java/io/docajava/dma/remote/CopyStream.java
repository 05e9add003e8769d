/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.remote;

import io.docajava.core.DocaCallException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.dma.CopyEnd;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Copies the same memory repeatedly, until a copy fails. */
final class CopyStream implements Handler<CopyEnd> {

    private final DpuLab lab;
    private final List<DocaCallException> failures = new ArrayList<>();
    private int copied;
    private int ended;

    /** Keeps a number of copies in flight. */
    CopyStream(DpuLab lab, Mmap remote, int depth) {
        this.lab = lab;
        for (int i = 0; i < depth; i++) {
            MapRange target = lab.memory.range(i * remote.byteSize(), remote.byteSize());
            lab.dma.copy(remote.all(), target, this);
        }
    }

    int copied() {
        return copied;
    }

    /** Returns the number of copies that succeeded but could not be followed by others, as the context had stopped. */
    int ended() {
        return ended;
    }

    List<DocaCallException> failures() {
        return failures;
    }

    @Override
    public void ended(CopyEnd end, @Nullable TaskFailedException failure) {
        if (failure != null) {
            failures.add(failure);
            return;
        }
        copied++;
        try {
            lab.dma.copy(end.source(), end.target(), this);
        } catch (ContextNotRunningException stopped) {
            // The context has stopped because of a copy whose failure is reported before or after this one.
            ended++;
        }
    }
}
