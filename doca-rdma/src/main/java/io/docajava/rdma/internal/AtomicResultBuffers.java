/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.internal;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.core.device.Device;
import io.docajava.core.internal.lifecycle.Undo;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.BufImpl;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.Mmap;
import java.util.ArrayList;
import java.util.List;

/** A cell of 8 bytes for each atomic or sync event operation: the device stores the result there, or reads the new value. */
final class AtomicResultBuffers implements AutoCloseable {

    private final Mmap memory;
    private final BufInventory inventory;
    private final List<Buf> buffers = new ArrayList<>();

    AtomicResultBuffers(Device device, int count) {
        memory = Mmap.allocate(device, (long) count * Long.BYTES, Access.LOCAL_READ_WRITE);
        BufInventory created = null;
        try {
            created = BufInventory.create(count);
            for (int i = 0; i < count; i++) {
                buffers.add(created.space(memory, (long) i * Long.BYTES, Long.BYTES));
            }
        } catch (Throwable failure) {
            if (created != null) {
                Undo.after(failure, created::close);
            }
            Undo.after(failure, memory::close);
            throw failure;
        }
        inventory = created;
    }

    BufElement buffer(int number) {
        return BufImpl.list(buffers.get(number));
    }

    /** Sets the value that the device reads from a cell. */
    void set(int number, long value) {
        memory.segment().set(JAVA_LONG, (long) number * Long.BYTES, value);
    }

    /** Returns the value that the device has written to a cell. */
    long value(int number) {
        return memory.segment().get(JAVA_LONG, (long) number * Long.BYTES);
    }

    /** Closes the inventory with its buffers, and the memory; may be called again after a failure. */
    @Override
    public void close() {
        inventory.close();
        memory.close();
    }
}
