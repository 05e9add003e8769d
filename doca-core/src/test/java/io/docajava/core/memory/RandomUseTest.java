/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.BufImpl;
import io.docajava.core.testing.LogCapture;
import io.docajava.core.testing.OpenHandles;
import io.docajava.core.testing.Requirements;
import io.docajava.ffi.DocaFunctionException;
import io.docajava.ffi.hot.BufCalls;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests random calls: Java refuses all invalid ones before the SDK does, and both agree on the state of all objects. A
 * failure names the seed; {@code -Ddoca.seed=...} repeats its run.
 */
@ExtendWith(OpenHandles.class)
@Timeout(600)
class RandomUseTest {

    private static final int CALLS = 5_000;

    /** The number of most recent objects that are used. */
    private static final int LAST = 12;

    /** Arguments that are invalid in some calls, and some that may be valid. */
    private static final long[] SIZES = {
        0, 1, 2, 63, 64, 65, 100, 128, 1000, 4096, -1, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 63, 1L << 62
    };

    private final List<Device> devices = new ArrayList<>();
    private final List<Mmap> maps = new ArrayList<>();
    private final List<BufInventory> inventories = new ArrayList<>();
    private final List<BufPool> pools = new ArrayList<>();
    private final List<Buf> bufs = new ArrayList<>();

    @RepeatedTest(3)
    void neverReachesTheSdkWithAMistake() {
        try (Device device = Device.open(DeviceFilter.any());
                Mmap memory = Mmap.allocate(device, 64, Access.LOCAL_READ_WRITE)) {
            Requirements.emptyBufferAtTheEnd(memory);
        }
        long seed = Long.getLong("doca.seed", ThreadLocalRandom.current().nextLong());
        try {
            callAnythingForLong(new Random(seed));
        } catch (Throwable failure) {
            throw new AssertionError("With -Ddoca.seed=" + seed, failure);
        }
    }

    private void callAnythingForLong(Random random) {
        int accepted = 0;
        try (LogCapture log = LogCapture.ofSdk()) {
            for (int i = 0; i < CALLS; i++) {
                Throwable thrown = catchThrowable(() -> callAnything(random));
                if (i % 50 == 0) {
                    checkAgainstTheSdk();
                }
                if (thrown == null) {
                    accepted++;
                } else {
                    assertThat(thrown)
                            .isInstanceOfAny(
                                    IllegalStateException.class,
                                    IllegalArgumentException.class,
                                    IndexOutOfBoundsException.class,
                                    OutOfMemoryError.class,
                                    DocaFunctionException.class,
                                    ResourceExhaustedException.class);
                    assertThat(thrown.getMessage()).isNotBlank();
                }
            }
            closeAll();

            assertThat(log.lines()).noneMatch(line -> line.startsWith("ERROR") || line.startsWith("WARN"));
            assertThat(accepted).isGreaterThan(CALLS / 10).isLessThan(CALLS);
        }
    }

    private void callAnything(Random random) {
        switch (random.nextInt(32)) {
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
            case 16 -> write(BufImpl.list(any(bufs, random)), Math.abs(size(random)));
            case 17 -> any(bufs, random).data().fill((byte) 42);
            case 18, 19 -> any(bufs, random).reuseAsData(size(random), size(random));
            case 20, 21 -> any(bufs, random).reuseAsSpace(size(random), size(random));
            case 22 -> any(bufs, random).clearList();
            case 23, 24 -> any(bufs, random).detach();
            case 25 -> bufs.add(list(random).build());
            case 26 -> any(inventories, random).expand((int) size(random));
            case 27 -> pools.add(BufPool.create(any(maps, random), (int) size(random), size(random), size(random)));
            case 28 -> any(pools, random).close();
            case 29 -> bufs.add(any(pools, random).take());
            default -> any(bufs, random).close();
        }
    }

    private BufListBuilder list(Random random) {
        BufListBuilder list = any(inventories, random).list();
        for (int i = random.nextInt(3); i >= 0; i--) {
            Mmap memory = any(maps, random);
            switch (random.nextInt(4)) {
                case 0 -> list.data(memory, size(random), size(random));
                case 1 -> list.space(memory, size(random), size(random));
                case 2 -> list.splitData(memory, size(random), size(random), (int) size(random));
                default -> list.splitSpace(memory, size(random), size(random), (int) size(random));
            }
        }
        return list;
    }

    /** Acts as a task would: passes stale data segments to the SDK, grows its buffers, and mirrors the growth in Java. */
    private static void write(BufElement list, long bytes) {
        list.grow(bytes);
        for (BufElement element = list; element != null; element = element.next()) {
            assertThat(BufCalls.setData(element.pointer(), element.data(), element.dataLength()))
                    .isZero();
            element.markUpdated();
        }
    }

    /** Compares all lists, which are exactly the elements missing from their inventories and pools. */
    private void checkAgainstTheSdk() {
        Map<BufElement, Buf> lists = new HashMap<>();
        for (Buf buf : bufs) {
            if (catchThrowable(buf::elements) == null) {
                lists.put(BufImpl.list(buf), buf);
            }
        }
        lists.values().forEach(Mirrors::assertTrue);
        int taken = lists.values().stream().mapToInt(Buf::elements).sum();
        assertThat(Stream.concat(inventories.stream(), pools.stream())
                        .filter(owner -> catchThrowable(owner::available) == null)
                        .mapToInt(owner -> owner.size() - owner.available())
                        .sum())
                .isEqualTo(taken);
        // Removes objects that are never used again.
        bufs.subList(0, Math.max(0, bufs.size() - LAST)).removeIf(buf -> catchThrowable(buf::length) != null);
    }

    private void closeAll() {
        pools.forEach(BufPool::close);
        inventories.forEach(BufInventory::close);
        maps.forEach(Mmap::close);
        devices.forEach(Device::close);
    }

    /** Returns one of the most recent objects, open or closed, so that they are used together. */
    private static <T> T any(List<T> objects, Random random) {
        if (objects.isEmpty()) {
            throw new IllegalStateException("There is none yet");
        }
        return objects.get(objects.size() - 1 - random.nextInt(Math.min(objects.size(), LAST)));
    }

    private static long size(Random random) {
        return SIZES[random.nextInt(SIZES.length)];
    }
}
