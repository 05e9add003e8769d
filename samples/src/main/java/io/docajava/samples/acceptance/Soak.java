/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.acceptance;

import io.docajava.core.device.Device;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.dma.DmaContext;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** Copies ranges of random lengths on a loop, many at a time, and compares each byte. */
final class Soak {

    private static final int PLACES = 16;
    private static final int PLACE = 1 << 20;

    private final Device device;

    Soak(Device device) {
        this.device = device;
    }

    /** Returns what was copied; throws if a byte differs. */
    String run(Duration duration, long seed) throws InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        long rounds = 0;
        long bytes = 0;
        try (ProgressLoop loop = ProgressLoop.start();
                Mmap from = Mmap.allocate(device, (long) PLACES * PLACE, Access.LOCAL_READ_WRITE);
                Mmap to = Mmap.allocate(device, (long) PLACES * PLACE, Access.LOCAL_READ_WRITE);
                DmaContext dma = DmaContext.builder(device).start(loop)) {
            long end = System.nanoTime() + duration.toNanos();
            while (System.nanoTime() < end) {
                bytes += round(dma, from, to, random);
                rounds++;
            }
        }
        return String.format(Locale.ROOT, "%,d copies, %,d bytes, all equal, seed %d", rounds * PLACES, bytes, seed);
    }

    private static long round(DmaContext dma, Mmap from, Mmap to, SplittableRandom random) throws InterruptedException {
        List<Completion<Long>> copies = new ArrayList<>();
        int[] lengths = random.ints(PLACES, 1, PLACE + 1).toArray();
        long bytes = 0;
        for (int place = 0; place < PLACES; place++) {
            long offset = (long) place * PLACE;
            from.segment().asSlice(offset, lengths[place]).fill((byte) random.nextInt());
            copies.add(dma.copy(from.range(offset, lengths[place]), to.range(offset, lengths[place])));
            bytes += lengths[place];
        }
        for (int place = 0; place < PLACES; place++) {
            copies.get(place).await();
            long offset = (long) place * PLACE;
            MemorySegment source = from.segment().asSlice(offset, lengths[place]);
            long differs = to.segment().asSlice(offset, lengths[place]).mismatch(source);
            if (differs >= 0) {
                throw new IllegalStateException(
                        "byte " + differs + " of a copy of " + lengths[place] + " bytes differs from its source");
            }
        }
        return bytes;
    }
}
