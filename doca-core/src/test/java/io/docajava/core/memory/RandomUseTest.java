/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.internal.Handles;
import io.docajava.core.testing.LogCapture;
import io.docajava.core.testing.OpenHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls in no order and with no sense: Java refuses what is wrong, and the SDK never has to. */
@ExtendWith(OpenHandles.class)
@Timeout(60)
class RandomUseTest {

    private static final int CALLS = 5_000;

    /** Arguments that are wrong here or there, and some that may be right. */
    private static final long[] SIZES = {
        0, 1, 2, 63, 64, 65, 100, 128, 1000, 4096, -1, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 63, 1L << 62
    };

    private final List<Device> devices = new ArrayList<>();
    private final List<Mmap> maps = new ArrayList<>();
    private final List<BufInventory> inventories = new ArrayList<>();
    private final List<Buf> bufs = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void neverReachesTheSdkWithAMistake(long seed) {
        Random random = new Random(seed);
        int accepted = 0;
        try (LogCapture log = LogCapture.ofSdk()) {
            for (int i = 0; i < CALLS; i++) {
                Throwable thrown = catchThrowable(() -> callAnything(random));
                if (thrown == null) {
                    accepted++;
                } else {
                    assertThat(thrown)
                            .isInstanceOfAny(
                                    IllegalStateException.class,
                                    IllegalArgumentException.class,
                                    IndexOutOfBoundsException.class,
                                    OutOfMemoryError.class);
                    assertThat(thrown.getMessage()).isNotBlank();
                }
            }
            closeAll();

            assertThat(log.lines()).isEmpty();
            assertThat(accepted).isGreaterThan(CALLS / 10).isLessThan(CALLS);
        }
    }

    private void callAnything(Random random) {
        switch (random.nextInt(20)) {
            case 0 -> devices.add(Device.open(DeviceFilter.any()));
            case 1 -> any(devices, random).close();
            case 2, 3 -> maps.add(Mmap.allocate(any(devices, random), size(random), Access.LOCAL_READ_WRITE));
            case 4 -> any(maps, random).close();
            case 5 -> inventories.add(BufInventory.create((int) size(random)));
            case 6 -> any(inventories, random).close();
            case 7, 8, 9 -> bufs.add(any(inventories, random).data(any(maps, random), size(random), size(random)));
            case 10, 11 -> bufs.add(any(inventories, random).space(any(maps, random), size(random), size(random)));
            case 12, 13 -> any(bufs, random).append(any(bufs, random));
            case 14 -> any(bufs, random).setData(size(random), size(random));
            case 15 -> any(bufs, random).clear();
            case 16 -> Handles.list(any(bufs, random)).grow(Math.abs(size(random)));
            case 17 -> any(bufs, random).data().fill((byte) 42);
            default -> any(bufs, random).close();
        }
    }

    private void closeAll() {
        inventories.forEach(BufInventory::close);
        maps.forEach(Mmap::close);
        devices.forEach(Device::close);
    }

    /** One of the last few, open or closed, so that they are used together. */
    private static <T> T any(List<T> objects, Random random) {
        if (objects.isEmpty()) {
            throw new IllegalStateException("There is none yet");
        }
        return objects.get(objects.size() - 1 - random.nextInt(Math.min(objects.size(), 12)));
    }

    private static long size(Random random) {
        return SIZES[random.nextInt(SIZES.length)];
    }
}
