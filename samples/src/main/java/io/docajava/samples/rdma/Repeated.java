/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.core.memory.Buf;
import io.docajava.rdma.RdmaTask;
import org.jspecify.annotations.Nullable;

/**
 * A prepared operation that is submitted many times.
 *
 * @param task the operation
 * @param target what it fills, which is emptied before; null if it fills nothing
 */
record Repeated(RdmaTask task, @Nullable Buf target) implements AutoCloseable {

    /** One that fills nothing. */
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
