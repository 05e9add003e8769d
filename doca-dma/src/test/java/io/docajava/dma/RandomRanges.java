/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.DocaError;
import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

/** Copies of ranges at random in a {@link RandomWorld}, between maps that are closed at random. */
final class RandomRanges implements AutoCloseable {

    private static final int MAPS = 3;
    private static final int BLOCK = 512;
    private static final int BLOCKS = 32;

    private final RandomWorld world;
    private final Random random;
    private final Lab lab;
    private final List<Place> places = new ArrayList<>();
    private int succeeded;

    RandomRanges(RandomWorld world, Random random, Lab lab) {
        this.world = world;
        this.random = random;
        this.lab = lab;
        for (int i = 0; i < MAPS; i++) {
            places.add(new Place(allocate()));
        }
    }

    private Mmap allocate() {
        Mmap map = Mmap.allocate(lab.device, 2L * BLOCK * BLOCKS, Access.LOCAL_READ_WRITE);
        byte[] bytes = new byte[BLOCK * BLOCKS];
        random.nextBytes(bytes);
        map.segment().asSlice(0, bytes.length).copyFrom(MemorySegment.ofArray(bytes));
        return map;
    }

    /** Copies from the first half of a map to a block in the second half of a map that no other copy writes to. */
    void copy() {
        RandomWorld.Line line = world.anyLine();
        Place from = places.get(random.nextInt(MAPS));
        Place to = places.get(random.nextInt(MAPS));
        int block = random.nextInt(BLOCKS);
        if (to.written[block]) {
            return;
        }
        int length = 1 + random.nextInt(BLOCK);
        MapRange source = from.map.range(random.nextInt(BLOCK * BLOCKS - length), length);
        MapRange target = to.map.range((long) BLOCK * (BLOCKS + block), length);
        RangeCopy copy = new RangeCopy(line, from, to, block, source, target);
        switch (random.nextInt(4)) {
            case 0 -> copy.submit(() -> world.watch(line.dma.copy(source, target), copy::end));
            case 1 -> copy.submit(() -> line.dma.copy(source, target, copy));
            case 2 ->
                copy.submit(() -> line.dma.copy(
                        source.map(), source.offset(), target.map(), target.offset(), length, block, copy));
            default -> refuse(line, source);
        }
    }

    private static void refuse(RandomWorld.Line line, MapRange source) {
        RandomWorld.expect(false, () -> line.dma.copy(source, source));
        RandomWorld.expect(false, () -> line.dma.copy(source, source.map().range(0, source.length() + 1)));
    }

    /** Closes a map, unless a copy uses it, and replaces it. */
    void closeMap() {
        Place place = places.get(random.nextInt(MAPS));
        if (RandomWorld.expect(place.copies == 0, place.map::close)) {
            MapRange gone = place.map.range(0, 1);
            RandomWorld.Line line = world.anyLine();
            RandomWorld.expect(false, () -> line.dma.copy(gone, place.map.range(1, 1), (end, failure) -> {}));
            place.map = allocate();
        }
    }

    /** Returns the number of copies that have succeeded. */
    int succeeded() {
        return succeeded;
    }

    @Override
    public void close() {
        places.forEach(place -> place.map.close());
    }

    /** A map. */
    private static final class Place {

        private Mmap map;
        private final boolean[] written = new boolean[BLOCKS];
        private int copies;

        Place(Mmap map) {
            this.map = map;
        }
    }

    /** A copy that is in flight or will be submitted. */
    private final class RangeCopy implements Handler<CopyEnd> {

        private final RandomWorld.Line line;
        private final Place from;
        private final Place to;
        private final int block;
        private final MapRange source;
        private final MapRange target;

        RangeCopy(RandomWorld.Line line, Place from, Place to, int block, MapRange source, MapRange target) {
            this.line = line;
            this.from = from;
            this.to = to;
            this.block = block;
            this.source = source;
            this.target = target;
        }

        void submit(ThrowingCallable call) {
            if (world.submit(line, line.isRunning() && line.hasFreeTask(), 1, call)) {
                from.copies++;
                to.copies++;
                to.written[block] = true;
            }
        }

        void end(@Nullable Long copied, @Nullable Throwable failure) {
            world.countEnd(line, 1);
            from.copies--;
            to.copies--;
            to.written[block] = false;
            if (failure == null) {
                succeeded++;
                assertThat(copied).isEqualTo(source.length());
                assertThat(target.segment().mismatch(source.segment())).isEqualTo(-1);
            } else {
                assertThat(failure)
                        .isInstanceOfSatisfying(
                                TaskFailedException.class,
                                reason -> assertThat(reason.error()).isIn(DocaError.IO_FAILED, DocaError.BAD_STATE));
            }
            world.goOn();
        }

        @Override
        public void ended(CopyEnd copy, @Nullable TaskFailedException failure) {
            assertThat(copy.source()).isEqualTo(source);
            assertThat(copy.target()).isEqualTo(target);
            assertThat(copy.tag()).isIn(0L, (long) block);
            end(failure == null ? copy.bytes() : null, failure);
        }
    }
}
