/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.docajava.DocaException;
import io.docajava.ffi.internal.Platform;
import io.docajava.ffi.testing.CCompiler;
import io.docajava.ffi.testing.ChildJvm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class EpollTest {

    private static final int NO_DESCRIPTOR = 987_654;

    private final Arena arena = Arena.ofConfined();
    private final LinuxCalls calls = new LinuxCalls(arena);
    private final MemorySegment one = arena.allocateFrom(ValueLayout.JAVA_LONG, 1);
    private final int event = calls.eventfd();
    private final Epoll epoll = Epoll.open();

    @AfterEach
    void close() {
        epoll.close();
        calls.close(event);
        arena.close();
    }

    @Test
    void reportsWhichDescriptorCanBeRead() {
        int other = calls.eventfd();
        epoll.add(event);
        epoll.add(other);
        calls.write(other, one);

        assertThat(epoll.await(-1)).isEqualTo(1);
        assertThat(epoll.ready(0)).isEqualTo(other);

        calls.write(event, one);
        assertThat(epoll.await(0)).isEqualTo(2);
        assertThat(List.of(epoll.ready(0), epoll.ready(1))).containsExactlyInAnyOrder(event, other);
        calls.close(other);
    }

    @Test
    void aRemovedDescriptorIsNoLongerWatched() {
        epoll.add(event);
        calls.write(event, one);
        epoll.remove(event);

        assertThat(epoll.await(0)).isZero();
    }

    @Test
    void waitsAsLongAsAskedAndNotShorter() {
        long start = System.nanoTime();

        assertThat(epoll.await(TimeUnit.MICROSECONDS.toNanos(1_500))).isZero();

        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.MICROSECONDS.toNanos(1_500));
    }

    @Test
    void keepsWaitingAfterASignal() {
        assertThat(new ChildJvm().run(InterruptedWaitProbe.class, "300")).isEqualTo("waited to the end\n");
    }

    @Test
    void aWakeBeforeTheWaitEndsItAndCountsOnce() {
        epoll.add(event);
        epoll.wake();
        epoll.wake();

        assertThat(epoll.await(-1)).isZero();
        assertThat(epoll.await(0)).isZero();
    }

    @Test
    void aWakeFromAnotherThreadEndsTheWait() {
        CompletableFuture<Integer> waiting = CompletableFuture.supplyAsync(() -> epoll.await(-1));

        epoll.wake();

        assertThat(waiting.join()).isZero();
    }

    @Test
    void aWakeUpAndADescriptorAreReportedTogether() {
        epoll.add(event);
        calls.write(event, one);
        epoll.wake();

        assertThat(epoll.await(-1)).isEqualTo(1);
        assertThat(epoll.ready(0)).isEqualTo(event);
    }

    /** Each round interrupts the waiting thread at an arbitrary point on its way into the wait. */
    @Test
    void anInterruptEndsTheWaitAndStays() throws Exception {
        Thread waiter = Thread.currentThread();
        AtomicInteger waits = new AtomicInteger();
        Thread interrupter = Thread.ofVirtual().start(() -> {
            for (int round = 1; round <= 1000; round++) {
                while (waits.get() < round) {
                    Thread.onSpinWait();
                }
                waiter.interrupt();
            }
        });
        for (int round = 1; round <= 1000; round++) {
            waits.set(round);
            do {
                assertThat(epoll.await(-1)).isZero();
            } while (!waiter.isInterrupted());
            assertThat(epoll.await(-1)).isZero();
            assertThat(Thread.interrupted()).isTrue();
        }
        interrupter.join();
    }

    @Test
    void saysWhatTheSystemRefused() {
        epoll.add(event);

        assertThatExceptionOfType(DocaException.class)
                .isThrownBy(() -> epoll.add(event))
                .withMessageContaining("epoll_ctl(EPOLL_CTL_ADD) failed: errno 17 (");
        assertThatExceptionOfType(DocaException.class)
                .isThrownBy(() -> epoll.add(NO_DESCRIPTOR))
                .withMessageContaining("epoll_ctl(EPOLL_CTL_ADD) failed: errno 9 (");
        assertThatExceptionOfType(DocaException.class)
                .isThrownBy(() -> epoll.remove(NO_DESCRIPTOR))
                .withMessageContaining("epoll_ctl(EPOLL_CTL_DEL) failed: errno 9 (");
    }

    @Test
    void everyUseAfterCloseIsRefusedButWake() {
        epoll.close();
        epoll.close();
        epoll.wake();

        List<Consumer<Epoll>> uses =
                List.of(closed -> closed.add(event), closed -> closed.remove(event), closed -> closed.await(0));
        assertThat(uses)
                .allSatisfy(use -> assertThatExceptionOfType(IllegalStateException.class)
                        .isThrownBy(() -> use.accept(epoll))
                        .withMessage("The Epoll is closed"));
    }

    @Test
    void refusesToCloseUnderAWaitingThread() {
        CompletableFuture<Integer> waiting = CompletableFuture.supplyAsync(() -> epoll.await(-1));
        while (!epoll.isWaiting()) {
            Thread.onSpinWait();
        }

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(epoll::close)
                .withMessage("An Epoll cannot close while a thread waits on it: wake it first");

        epoll.wake();
        assertThat(waiting.join()).isZero();
    }

    @Test
    void eventsAreLaidOutAsInC(@TempDir Path work) {
        String[] facts = CCompiler.runProgram(work.resolve("epoll"), """
                #include <stdio.h>
                #include <stddef.h>
                #include <sys/epoll.h>
                int main(void) {
                    printf("%zu %zu", sizeof(struct epoll_event), offsetof(struct epoll_event, data));
                }
                """).split(" ", -1);

        EpollEvents events = new EpollEvents(Platform.current(), arena, 2);

        assertThat(events.memory().byteSize()).isEqualTo(2 * Long.parseLong(facts[0]));
        long data = Long.parseLong(facts[1]);
        assertThat(events.toAdd(event).get(ValueLayout.JAVA_LONG_UNALIGNED, data))
                .isEqualTo(event);
    }

    @Test
    void eventsArePackedOnX86Only() {
        assertThat(size(new Platform("x86_64", 62))).isEqualTo(12);
        assertThat(size(new Platform("aarch64", 183))).isEqualTo(16);
    }

    private long size(Platform platform) {
        return new EpollEvents(platform, arena, 1).memory().byteSize();
    }
}
