/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskFailedException.Reason;
import io.docajava.core.graph.ContextNode;
import io.docajava.core.graph.Graph;
import io.docajava.core.graph.GraphBuilder;
import io.docajava.core.graph.GraphInstance;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.Await;
import io.docajava.testing.CompletionModes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests copies to lists of buffers, where the SDK would write everything after the data of the first buffer. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class ListCopyTest extends CompletionModes {

    @Test
    void writesNothingBehindABuffer() throws Exception {
        try (Lab lab = new Lab()) {
            lab.memory.segment().asSlice(10_000, 20_000).fill((byte) 7);
            Buf first = lab.space(10_000, 100);
            Buf second = lab.space(20_000, 100);
            Buf target = first.append(second);
            assertThat(lab.dma.copy(lab.data(0, 150), target).await()).isEqualTo(150);

            assertThat(first.dataLength()).isEqualTo(100);
            assertThat(second.dataLength()).isEqualTo(50);
            lab.assertCopied(0, 10_000, 100);
            lab.assertCopied(100, 20_000, 50);
            assertFilled(lab, 10_100, 9900, 7);
            assertFilled(lab, 20_050, 9950, 7);
        }
    }

    @Test
    void theListCanBeUsedAsItIsAfterwards() throws Exception {
        try (Lab lab = new Lab()) {
            Buf target = lab.space(10_000, 100).append(lab.space(20_000, 100)).append(lab.space(30_000, 100));
            assertThat(lab.dma.copy(lab.data(0, 150), target).await()).isEqualTo(150);
            // The copy is appended to the existing data.
            assertThat(lab.dma.copy(lab.data(1000, 70), target).await()).isEqualTo(70);
            lab.assertCopied(1000, 20_050, 50);
            lab.assertCopied(1050, 30_000, 20);
            // The source is the whole list, with the data of all its buffers.
            Buf whole = lab.space(40_000, 220);
            assertThat(lab.dma.copy(target, whole).await()).isEqualTo(220);
            lab.assertCopied(0, 40_000, 150);
            lab.assertCopied(1000, 40_150, 70);
        }
    }

    @Test
    void goesToSeveralMapsFromSeveral() throws Exception {
        try (Lab lab = new Lab(1);
                Mmap other = Mmap.allocate(lab.device, 4096, Access.LOCAL_READ_WRITE)) {
            Buf source = lab.data(0, 30).append(lab.data(100, 50)).append(lab.data(200, 70));
            Buf second = lab.buffers.space(other, 1000, 60);
            Buf target = lab.space(10_000, 40)
                    .append(second)
                    .append(lab.space(10_040, 45))
                    .append(lab.space(10_085, 5));
            assertThat(lab.dma.copy(source, target).await()).isEqualTo(150);

            lab.assertCopied(0, 10_000, 30);
            lab.assertCopied(100, 10_030, 10);
            assertThat(other.segment()
                            .asSlice(1000, 40)
                            .mismatch(lab.memory.segment().asSlice(110, 40)))
                    .isEqualTo(-1);
            assertThat(other.segment()
                            .asSlice(1040, 20)
                            .mismatch(lab.memory.segment().asSlice(200, 20)))
                    .isEqualTo(-1);
            lab.assertCopied(220, 10_040, 50);
            target.close();
        }
    }

    /** One task cannot copy across the border of two maps, even if their addresses are adjacent. */
    @Test
    void dividesAtTheBorderOfAdjacentMaps() throws Exception {
        try (Lab lab = new Lab()) {
            MemorySegment memory = Arena.ofAuto().allocate(256);
            try (Mmap first = Mmap.register(lab.device, memory.asSlice(0, 64), Access.LOCAL_READ_WRITE);
                    Mmap second = Mmap.register(lab.device, memory.asSlice(64, 64), Access.LOCAL_READ_WRITE);
                    Mmap third = Mmap.register(lab.device, memory.asSlice(128, 64), Access.LOCAL_READ_WRITE);
                    Mmap fourth = Mmap.register(lab.device, memory.asSlice(192, 64), Access.LOCAL_READ_WRITE)) {
                MemorySegment data = memory.asSlice(0, 128);
                lab.data(0, 128);
                data.copyFrom(lab.memory.segment().asSlice(0, 128));
                Buf adjacent = lab.space(10_000, 64).append(lab.space(10_064, 64));
                Buf source = lab.buffers.data(first, 0, 64).append(lab.buffers.data(second, 0, 64));
                assertThat(lab.dma.copy(source, adjacent).await()).isEqualTo(128);
                lab.assertCopied(0, 10_000, 128);
                Buf target = lab.buffers.space(third, 0, 64).append(lab.buffers.space(fourth, 0, 64));
                assertThat(lab.dma.copy(lab.data(0, 128), target).await()).isEqualTo(128);
                assertThat(memory.asSlice(128, 128).mismatch(data)).isEqualTo(-1);
                source.close();
                target.close();
            }
        }
    }

    @Test
    void mayGoToMoreBuffersThanASourceMayHave() throws Exception {
        try (Lab lab = new Lab(1)) {
            int count = lab.dma.capabilities().maxListLength() + 6;
            Buf target = lab.space(10_000, 20);
            for (int i = 1; i < count; i++) {
                target.append(lab.space(10_000 + i * 100L, 20));
            }
            assertThat(lab.dma.copy(lab.data(0, count * 20L), target).await()).isEqualTo(count * 20L);
            for (int i = 0; i < count; i++) {
                lab.assertCopied(i * 20L, 10_000 + i * 100L, 20);
            }
            target.close();
        }
    }

    @Test
    void keepsItsBuffersAndOneTaskUntilTheLastPartHasEnded() throws Exception {
        try (Lab lab = new Lab(2)) {
            Buf source = lab.data(0, 300);
            Buf target = lab.space(10_000, 100).append(lab.space(20_000, 100)).append(lab.space(30_000, 100));
            Buf other = lab.data(1000, 10);
            List<Long> copied = new ArrayList<>();
            lab.dma.copy(source, target, (end, failure) -> {
                assertThat(failure).isNull();
                assertThat(end.source()).isEqualTo(lab.memory.range(0, 300));
                assertThat(end.target()).isEqualTo(lab.memory.range(10_000, 100));
                assertThat(lab.dma.inFlight()).isZero();
                target.clearList();
                copied.add(end.bytes());
            });
            while (copied.isEmpty()) {
                assertThat(lab.dma.inFlight()).isEqualTo(1);
                assertThatThrownBy(target::clearList)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("A buffer that a task in flight uses cannot be changed or closed");
                assertThatThrownBy(() -> lab.dma.copy(other, target))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("The target is used by another copy in flight");
                lab.engine.progress();
            }
            assertThat(copied).containsExactly(300L);
            assertThat(lab.dma.inFlight()).isZero();
            lab.assertCopied(0, 10_000, 100);
            lab.assertCopied(100, 20_000, 100);
            lab.assertCopied(200, 30_000, 100);
        }
    }

    /** The first task has the buffers as arguments, and serves a part after that. */
    @Test
    void aStopReleasesTheBuffersOnce() throws Exception {
        try (Lab lab = new Lab(4)) {
            lab.dma.copy(lab.memory.range(0, 8), lab.memory.range(1000, 8)).await();
            Buf source = lab.data(0, 100);
            Buf list = lab.space(10_000, 60).append(lab.space(20_000, 60));
            Completion<Long> stopped = lab.dma.copy(source, list);
            lab.dma.stop();
            lab.awaitIdle(Await.LIMIT);
            assertThat(stopped).isDone();
            list.clear();
            lab.dma.restart();
            Completion<Long> again = lab.dma.copy(source, list);
            assertThatThrownBy(list::clear)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("A buffer that a task in flight uses cannot be changed or closed");
            assertThat(again.await()).isEqualTo(100);
            lab.assertCopied(0, 10_000, 60);
            lab.assertCopied(60, 20_000, 40);
        }
    }

    @Test
    void leavesTogetherWithOtherCopies() throws Exception {
        try (Lab lab = new Lab(builder -> builder.maxTasks(8).optimizeReports(true))) {
            List<Completion<Long>> copies = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                long at = 10_000 + i * 1000L;
                copies.add(
                        lab.dma.copy(lab.data(i * 100L, 100), lab.space(at, 60).append(lab.space(at + 500, 60))));
                copies.add(lab.dma.copy(lab.data(i * 100L + 5000, 50), lab.space(at + 700, 50)));
            }
            lab.dma.flush();
            lab.drain();
            for (int i = 0; i < 4; i++) {
                assertThat(copies.get(2 * i).resultNow()).isEqualTo(100);
                assertThat(copies.get(2 * i + 1).resultNow()).isEqualTo(50);
                lab.assertCopied(i * 100L, 10_000 + i * 1000L, 60);
                lab.assertCopied(i * 100L + 60, 10_500 + i * 1000L, 40);
                lab.assertCopied(i * 100L + 5000, 10_700 + i * 1000L, 50);
            }
        }
    }

    @Test
    void aStopBetweenPartsFailsItAndLeavesTheBuffersAsTheyWere() throws Exception {
        try (Lab lab = new Lab(2)) {
            Buf source = lab.data(0, 150);
            Buf first = lab.space(10_000, 100);
            Buf second = lab.space(20_000, 100);
            Buf target = first.append(second);
            Completion<Long> copy = lab.dma.copy(source, target);
            lab.dma.stop();
            lab.awaitIdle(Await.LIMIT);
            assertThat(copy.exceptionNow())
                    .isInstanceOfSatisfying(
                            TaskFailedException.class,
                            failure -> assertThat(failure.reason()).isEqualTo(Reason.CANCELLED));
            assertThat(first.dataLength()).isZero();
            assertThat(second.dataLength()).isZero();

            lab.dma.restart();
            assertThat(lab.dma.copy(source, target).await()).isEqualTo(150);
            lab.assertCopied(0, 10_000, 100);
            lab.assertCopied(100, 20_000, 50);
        }
    }

    @Test
    void aGraphRefusesIt() {
        try (Lab lab = new Lab()) {
            Buf target = lab.space(1000, 32).append(lab.space(2000, 32));
            GraphBuilder builder = Graph.builder(lab.engine);
            ContextNode node = builder.context(lab.dma);
            try (Graph graph = builder.start();
                    DmaTask task = lab.dma.task(lab.data(0, 64), target);
                    GraphInstance instance = graph.instance().set(node, task)) {
                assertThatThrownBy(instance::submit)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("The target is a list of 2 buffers, and a task writes to one: take a task for each"
                                + " buffer, or DmaContext.copy(), which does so by itself");
            }
            target.close();
        }
    }

    @Test
    void copiesAnyListToAnyOther() throws Exception {
        long seed = Long.getLong("doca.seed", ThreadLocalRandom.current().nextLong());
        Random random = new Random(seed);
        try (Lab lab = new Lab(4)) {
            for (int round = 0; round < 100; round++) {
                Parts from = new Parts(lab, random, 0, true);
                Parts to = new Parts(lab, random, 500_000, false);
                int length = (int) Math.min(from.length, to.length);
                if (from.length > to.length) {
                    from.list.close();
                } else {
                    MemorySegment before = MemorySegment.ofArray(
                            lab.memory.segment().asSlice(500_000, 100_000).toArray(ValueLayout.JAVA_BYTE));
                    assertThat(lab.dma.copy(from.list, to.list).await())
                            .as("with -Ddoca.seed=%d", seed)
                            .isEqualTo(length);
                    to.write(before, from.bytes(lab), 500_000);
                    assertThat(lab.memory.segment().asSlice(500_000, 100_000).mismatch(before))
                            .as("with -Ddoca.seed=%d", seed)
                            .isEqualTo(-1);
                    from.list.close();
                }
                to.list.close();
            }
        }
    }

    private static void assertFilled(Lab lab, long offset, long length, int value) {
        assertThat(lab.memory.segment().asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE))
                .containsOnly(value);
    }

    /** A list of buffers, some of which are adjacent. */
    private static final class Parts {

        private final List<long[]> ranges = new ArrayList<>();
        private final Buf list;
        private long length;

        Parts(Lab lab, Random random, long base, boolean data) {
            long at = base;
            Buf whole = null;
            for (int i = 1 + random.nextInt(8); i > 0; i--) {
                at += random.nextBoolean() ? 0 : random.nextLong(200);
                long size = random.nextLong(1, 301);
                Buf part = data ? lab.data(at, size) : lab.space(at, size);
                if (!data && random.nextInt(3) == 0) {
                    long there = random.nextLong(size + 1);
                    part.setData(0, there);
                    ranges.add(new long[] {at + there, size - there});
                } else {
                    ranges.add(new long[] {at, size});
                }
                length += ranges.getLast()[1];
                at += size;
                whole = whole == null ? part : whole.append(part);
            }
            assertThat(whole).isNotNull();
            list = whole;
        }

        byte[] bytes(Lab lab) {
            byte[] bytes = new byte[(int) length];
            int done = 0;
            for (long[] range : ranges) {
                MemorySegment.copy(lab.memory.segment(), ValueLayout.JAVA_BYTE, range[0], bytes, done, (int) range[1]);
                done += (int) range[1];
            }
            return bytes;
        }

        void write(MemorySegment memory, byte[] bytes, long base) {
            int done = 0;
            for (long[] range : ranges) {
                int size = (int) Math.min(bytes.length - done, range[1]);
                MemorySegment.copy(bytes, done, memory, ValueLayout.JAVA_BYTE, range[0] - base, size);
                done += size;
            }
        }
    }
}
