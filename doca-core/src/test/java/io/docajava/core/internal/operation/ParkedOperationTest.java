/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.internal.engine.OperationCompletion;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.BufImpl;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.testing.OpenHandles;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(OpenHandles.class)
class ParkedOperationTest {

    /** A type whose operations are never submitted to the SDK. */
    private static final class NoTasks extends OperationType {

        NoTasks() {
            super("no_task", BufferRole.SOURCE, BufferRole.DESTINATION, ArgumentSetters.NONE);
        }

        @Override
        protected long check(@Nullable Object subject, @Nullable BufElement local, @Nullable BufElement remote) {
            return 0;
        }

        @Override
        protected int allocate(Operation operation, long userData) {
            throw new AssertionError(operation);
        }

        @Override
        protected String allocation() {
            return "no_allocation";
        }

        @Override
        protected long allocated() {
            return 0;
        }

        @Override
        protected long asTask(long typed) {
            return typed;
        }

        @Override
        protected long result(Operation operation) {
            return 0;
        }

        @Override
        protected String attempt(Operation operation) {
            return "nothing";
        }
    }

    @Test
    void holdsItsBuffersAgainIfItHasToWaitAgain() {
        try (Device device = Device.open(DeviceFilter.any());
                Mmap memory = Mmap.allocate(device, 64, Access.LOCAL_READ_WRITE);
                BufInventory buffers = BufInventory.create(2);
                ProgressEngine engine = ProgressEngine.create();
                Buf source = buffers.data(memory, 0, 32);
                Buf target = buffers.space(memory, 32, 32)) {
            List<BufElement> held = List.of(BufImpl.list(source), BufImpl.list(target));
            Queue<Boolean> results = new ArrayDeque<>(List.of(false, false, true));
            ParkedOperation operation = new ParkedOperation(
                    new OperationPool(new NoTasks(), 1),
                    null,
                    source,
                    target,
                    null,
                    new OperationCompletion<>(engine),
                    () -> {
                        assertThat(held).allMatch(list -> list.tasks() == 0);
                        return results.remove();
                    });
            for (boolean isSubmitted : List.copyOf(results)) {
                assertThat(held).allMatch(list -> list.tasks() == 1);
                assertThat(operation.submit()).isEqualTo(isSubmitted);
            }
            assertThat(held).allMatch(list -> list.tasks() == 0);
        }
    }
}
