/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.docajava.DocaException;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.testing.OpenHandles;
import io.docajava.ffi.DocaFunctionException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests random calls: each succeeds or is refused with an exception that states the reason, and the process survives. A
 * failure names the seed; {@code -Ddoca.seed=...} repeats its run.
 */
@ExtendWith(OpenHandles.class)
@Timeout(600)
class RandomEventsTest {

    private static final int CALLS = 3_000;

    /** The number of most recent objects that are used. */
    private static final int LAST = 6;

    private static final long[] NUMBERS = {0, 1, 2, 5, 0xff, 0x100, -1, -2, Long.MIN_VALUE, Long.MAX_VALUE};
    private static final List<SyncLocation> LOCATIONS = List.of(SyncLocation.values());
    private static final List<SyncEventTaskType> TYPES = List.of(SyncEventTaskType.values());
    private static final List<SyncEventExport.Kind> KINDS = List.of(SyncEventExport.Kind.values());

    private final List<Device> devices = new ArrayList<>();
    private final List<ProgressEngine> engines = new ArrayList<>();
    private final List<SyncEventBuilder> builders = new ArrayList<>();
    private final List<SyncEventContextBuilder> contextBuilders = new ArrayList<>();
    private final List<SyncEvent> events = new ArrayList<>();
    private final List<SyncEventContext> contexts = new ArrayList<>();
    private final List<SyncEventExport> exports = new ArrayList<>();
    private final List<RemoteSyncEvent> remotes = new ArrayList<>();

    @RepeatedTest(3)
    void endsInNothingButExceptions() {
        long seed = Long.getLong("doca.seed", ThreadLocalRandom.current().nextLong());
        try {
            callAnythingForLong(new Random(seed));
        } catch (Throwable failure) {
            throw new AssertionError("With -Ddoca.seed=" + seed, failure);
        }
    }

    private void callAnythingForLong(Random random) {
        int accepted = 0;
        devices.add(Device.open(DeviceFilter.any()));
        engines.add(ProgressEngine.create());
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
                                UnsupportedOperationException.class,
                                TimeoutException.class,
                                DocaException.class,
                                DocaFunctionException.class);
                assertThat(thrown.getMessage()).isNotBlank();
            }
        }
        closeAll();
        assertThat(accepted).isGreaterThan(CALLS / 10).isLessThan(CALLS);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the results of the tasks do not matter
    private void callAnything(Random random) throws Exception {
        switch (random.nextInt(36)) {
            case 0 -> devices.add(Device.open(DeviceFilter.any()));
            case 1 -> any(devices, random).close();
            case 2 -> engines.add(ProgressEngine.create());
            case 3 -> any(engines, random).close();
            case 4, 5 ->
                builders.add(SyncEvent.builder(any(devices, random))
                        .publisher(SyncLocation.CPU)
                        .subscriber(SyncLocation.CPU));
            case 6 -> any(builders, random).publisher(any(LOCATIONS, random));
            case 7 -> any(builders, random).subscriber(any(LOCATIONS, random));
            case 8 -> any(builders, random).memory(memory(random));
            case 9 -> any(builders, random).memoryUnchecked(memory(random));
            case 10, 11 -> events.add(any(builders, random).start());
            case 12 -> any(events, random).close();
            case 13 -> any(events, random).get();
            case 14 -> any(events, random).set(number(random));
            case 15 -> any(events, random).add(number(random));
            case 16 -> wait(any(events, random).newWait().mask(number(random)).timeout(Duration.ZERO), random);
            case 17 -> exports.add(any(events, random).exportPci(any(devices, random)));
            case 18 -> exports.add(any(events, random).exportRdma());
            case 19 -> exports.add(any(contexts, random).exportPci(any(devices, random)));
            case 20 -> exports.add(any(contexts, random).exportRdma());
            case 21 -> events.add(SyncEvent.fromExport(any(devices, random), export(random)));
            case 22 -> remotes.add(RemoteSyncEvent.of(any(devices, random), export(random)));
            case 23 -> any(remotes, random).close();
            case 24 -> contextBuilders.add(any(builders, random).tasks());
            case 25 -> any(contextBuilders, random).maxTasks(any(TYPES, random), (int) number(random));
            case 26 -> contexts.add(any(contextBuilders, random).start(any(engines, random)));
            case 27 -> any(contexts, random).close();
            case 28 -> any(contexts, random).stop();
            case 29 -> any(contexts, random).restart();
            case 30 -> any(contexts, random).submit(SyncEventOperation.set(number(random)));
            case 31 -> any(contexts, random).submit(SyncEventOperation.add(number(random)));
            case 32 -> any(contexts, random).submit(SyncEventOperation.get());
            case 33 -> any(contexts, random).submit(SyncEventOperation.waitEqual(number(random), number(random)));
            case 34 -> any(contexts, random).submit(SyncEventOperation.waitNotEqual(number(random)));
            default -> any(engines, random).progress();
        }
    }

    private static void wait(SyncWait wait, Random random) throws Exception {
        switch (random.nextInt(3)) {
            case 0 -> wait.untilEqual(number(random));
            case 1 -> wait.untilNotEqual(number(random));
            default -> wait.busy().untilGreaterThan(number(random));
        }
    }

    private static long number(Random random) {
        return NUMBERS[random.nextInt(NUMBERS.length)];
    }

    private static MemorySegment memory(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> MemorySegment.ofArray(new long[1]);
            case 1 -> Arena.ofAuto().allocate(16, 8).asSlice(4, 8);
            case 2 -> Arena.ofAuto().allocate(16, 8);
            default -> Arena.ofAuto().allocate(8, 8);
        };
    }

    private SyncEventExport export(Random random) {
        if (random.nextInt(3) > 0) {
            return any(exports, random);
        }
        byte[] descriptor = random.nextBoolean() ? any(exports, random).descriptor() : new byte[200];
        descriptor[random.nextInt(descriptor.length)] ^= (byte) (1 + random.nextInt(255));
        return SyncEventExport.of(any(KINDS, random), descriptor);
    }

    private static <T> T any(List<T> list, Random random) {
        return list.get(list.size() - 1 - random.nextInt(Math.min(list.size(), LAST)));
    }

    private void closeAll() {
        remotes.forEach(RemoteSyncEvent::close);
        events.forEach(SyncEvent::close);
        contexts.forEach(SyncEventContext::close);
        engines.forEach(ProgressEngine::close);
        devices.forEach(Device::close);
    }
}
