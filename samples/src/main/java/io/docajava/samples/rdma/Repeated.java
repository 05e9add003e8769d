/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.core.memory.Buf;
import io.docajava.rdma.RdmaTask;
import org.jspecify.annotations.Nullable;

/**
 * A prepared operation that is submitted many times.
 *
 * @param task the operation
 * @param target the buffer that the operation fills, which is emptied before each submission; null if there is none
 */
record Repeated(RdmaTask task, @Nullable Buf target) implements AutoCloseable {

    /** Creates an operation that fills no buffer. */
    Repeated(RdmaTask task) {
        this(task, null);
    }

    void submit() {
        if (target != null) {
            target.clear();
        }
        task.submit();
    }

    @Override
    public void close() {
        task.close();
    }
}
