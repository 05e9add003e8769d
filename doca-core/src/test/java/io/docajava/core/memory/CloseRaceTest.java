/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.testing.OpenHandles;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that if one thread closes an object that another thread starts to use, exactly one of them succeeds. */
@ExtendWith(OpenHandles.class)
@Timeout(600)
class CloseRaceTest {

    private static final int ROUNDS = 1000;

    private final CyclicBarrier start = new CyclicBarrier(2);
    private final ExecutorService closer = Executors.newSingleThreadExecutor();

    @AfterEach
    void end() {
        closer.close();
    }

    @Test
    void ofAMapAndItsBuffers() throws Exception {
        try (Device device = Device.open(DeviceFilter.any());
                BufInventory inventory = BufInventory.create(1)) {
            for (int round = 0; round < ROUNDS; round++) {
                Mmap map = Mmap.allocate(device, 64, Access.LOCAL_READ_WRITE);
                Future<@Nullable Throwable> closing = startClosing(map);
                await(start);
                AtomicReference<@Nullable Buf> taken = new AtomicReference<>();
                Throwable refused = catchThrowable(() -> taken.set(inventory.data(map, 0, 64)));

                Buf buf = taken.get();
                if (buf == null) {
                    assertRefused(refused, map + " is closed");
                    assertThat(closing.get()).isNull();
                } else {
                    // The buffer may not yet have been registered with the inventory when it kept the map open.
                    assertThat(closing.get())
                            .isExactlyInstanceOf(IllegalStateException.class)
                            .message()
                            .isIn(
                                    map + " cannot be closed while 1 buffer of BufInventory of 1 points into it",
                                    map + " cannot be closed while 1 buffer points into it");
                    buf.data().set(JAVA_LONG, 0, 42);
                    buf.close();
                    map.close();
                }
            }
        }
    }

    @Test
    void ofADeviceAndItsMaps() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Device device = Device.open(DeviceFilter.any());
            Future<@Nullable Throwable> closing = startClosing(device);
            await(start);
            AtomicReference<@Nullable Mmap> made = new AtomicReference<>();
            Throwable refused = catchThrowable(() -> made.set(Mmap.allocate(device, 64, Access.LOCAL_READ_WRITE)));

            Mmap map = made.get();
            if (map == null) {
                assertThat(refused)
                        .isExactlyInstanceOf(IllegalStateException.class)
                        .message()
                        .isIn(device + " is closed", device + " is being closed");
                assertThat(closing.get()).isNull();
            } else {
                assertRefused(closing.get(), device + " cannot be closed while in use by: " + map);
                map.segment().set(JAVA_LONG, 0, 42);
                map.close();
                device.close();
            }
        }
    }

    @Test
    void ofTwoThreadsThatClose() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Device device = Device.open(DeviceFilter.any());
            Future<@Nullable Throwable> closing = startClosing(device);
            await(start);

            assertThat(catchThrowable(device::close)).isNull();
            assertThat(closing.get()).isNull();
        }
    }

    private Future<@Nullable Throwable> startClosing(AutoCloseable object) {
        return closer.submit(() -> {
            await(start);
            return catchThrowable(object::close);
        });
    }

    private static void await(CyclicBarrier barrier) throws InterruptedException {
        try {
            barrier.await();
        } catch (BrokenBarrierException e) {
            throw new AssertionError("The other thread has gone", e);
        }
    }

    private static void assertRefused(@Nullable Throwable thrown, String message) {
        assertThat(thrown).isExactlyInstanceOf(IllegalStateException.class).hasMessage(message);
    }
}
