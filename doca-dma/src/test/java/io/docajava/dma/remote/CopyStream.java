/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.remote;

import io.docajava.core.DocaCallException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.Mmap;
import io.docajava.dma.CopyHandler;
import java.util.ArrayList;
import java.util.List;

/** Copies the same memory repeatedly, until a copy fails. */
final class CopyStream implements CopyHandler, AutoCloseable {

    private final DpuLab lab;
    private final List<Buf> buffers = new ArrayList<>();
    private final List<DocaCallException> failures = new ArrayList<>();
    private int copied;
    private int ended;

    /** Keeps a number of copies in flight. */
    CopyStream(DpuLab lab, Mmap remote, int depth) {
        this.lab = lab;
        for (int i = 0; i < depth; i++) {
            Buf source = lab.buffers.data(remote, 0, remote.byteSize());
            buffers.add(source);
            Buf target = lab.buffers.space(lab.memory, i * remote.byteSize(), remote.byteSize());
            buffers.add(target);
            lab.dma.copy(source, target, this);
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
    public void copied(Buf source, Buf target, long bytes) {
        copied++;
        target.clear();
        try {
            lab.dma.copy(source, target, this);
        } catch (ContextNotRunningException stopped) {
            // The context has stopped because of a copy whose failure is reported before or after this one.
            ended++;
        }
    }

    @Override
    public void failed(Buf source, Buf target, TaskFailedException failure) {
        failures.add(failure);
    }

    @Override
    public void close() {
        buffers.forEach(Buf::close);
    }
}
