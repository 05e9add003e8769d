/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that both ways of receiving completions behave the same. */
@ParameterizedClass
@EnumSource(CompletionMode.class)
class CompletionQueueTest {

    private static final long POINTER = 0x7fff_1234_5678_9abcL;

    @TempDir
    private static Path work;

    private static FakeEngine engine;

    private final CompletionMode mode;
    private CompletionQueue queue;

    CompletionQueueTest(CompletionMode mode) {
        this.mode = mode;
    }

    @BeforeAll
    static void createEngine() throws Throwable {
        engine = new FakeEngine(work);
    }

    @BeforeEach
    void open() {
        queue = open(CompletionQueue.LIMIT);
    }

    private CompletionQueue open(long limit) {
        return CompletionQueue.open(mode, engine.progress(), limit);
    }

    @AfterEach
    void close() {
        queue.close();
    }

    /** A record in the form that tests compare. */
    private record Seen(int kind, int context, long userData, long object, int previousState, int nextState) {}

    private static List<Seen> drain(CompletionQueue queue) {
        List<Seen> seen = new ArrayList<>();
        while (queue.next()) {
            seen.add(new Seen(
                    queue.kind(),
                    queue.contextIndex(),
                    queue.userData(),
                    queue.object(),
                    queue.previousState(),
                    queue.nextState()));
        }
        return seen;
    }

    @Test
    void isOpenedInTheModeAskedFor() {
        assertThat(queue.mode()).isEqualTo(mode);
    }

    @Test
    void hasNothingWhereNothingHappened() {
        assertThat(queue.progress(engine.address(), 10)).isZero();
        assertThat(queue.next()).isFalse();
        assertThat(queue.next()).isFalse();
    }

    @Test
    void givesEveryKindOfRecordInTheOrderOfTheCallbacks() throws Throwable {
        long first = queue.contextData(0, false);
        long second = queue.contextData(Integer.MAX_VALUE, false);
        engine.addTask(queue.taskSucceeded(), POINTER, Long.MAX_VALUE, first);
        engine.addState(queue.stateChanged(), POINTER + 8, second, 2, 3);
        engine.addTask(queue.taskFailed(), POINTER + 16, 0x1234567890L, second);
        engine.addTask(queue.event(0), POINTER + 24, 5, first);
        engine.addTask(queue.event(7), POINTER + 32, 6, first);
        engine.addPlain(queue.plainEvent(3), POINTER + 40, second);

        assertThat(queue.progress(engine.address(), 100)).isEqualTo(6);

        assertThat(drain(queue))
                .containsExactly(
                        new Seen(CompletionQueue.TASK_SUCCEEDED, 0, Long.MAX_VALUE, POINTER, 0, 0),
                        new Seen(CompletionQueue.STATE_CHANGED, Integer.MAX_VALUE, 0, POINTER + 8, 2, 3),
                        new Seen(CompletionQueue.TASK_FAILED, Integer.MAX_VALUE, 0x1234567890L, POINTER + 16, 0, 0),
                        new Seen(CompletionQueue.EVENT, 0, 5, POINTER + 24, 0, 0),
                        new Seen(CompletionQueue.EVENT + 7, 0, 6, POINTER + 32, 0, 0),
                        new Seen(CompletionQueue.EVENT + 3, Integer.MAX_VALUE, 0, POINTER + 40, 0, 0));
        queue.releaseContextData(0);
        queue.releaseContextData(Integer.MAX_VALUE);
    }

    @Test
    void keepsThePlaceOfWhatJavaHasNoted() throws Throwable {
        long context = queue.contextData(0, false);
        engine.addTask(queue.taskSucceeded(), POINTER, 1, context);
        engine.addTask(queue.taskSucceeded(), POINTER, 2, context);
        queue.progress(engine.address(), 1);
        assertThat(queue.appendPlaceholder()).isTrue();
        queue.progress(engine.address(), 1);

        assertThat(drain(queue))
                .containsExactly(
                        new Seen(CompletionQueue.TASK_SUCCEEDED, 0, 1, POINTER, 0, 0),
                        new Seen(CompletionQueue.PLACEHOLDER, 0, 0, 0, 0, 0),
                        new Seen(CompletionQueue.TASK_SUCCEEDED, 0, 2, POINTER, 0, 0));
        queue.releaseContextData(0);
    }

    @Test
    void reportsUnreadEvents() throws Throwable {
        long context = queue.contextData(0, false);
        engine.addTask(queue.taskSucceeded(), POINTER, 1, context);
        engine.addTask(queue.event(2), POINTER, 2, context);
        engine.addTask(queue.taskSucceeded(), POINTER, 3, context);
        engine.addPlain(queue.plainEvent(1), POINTER + 8, context);
        assertThat(isUnread(2, POINTER)).isFalse();
        queue.progress(engine.address(), 100);
        int unread = 4;
        do {
            assertThat(isUnread(2, POINTER)).isEqualTo(unread > 2);
            assertThat(isUnread(1, POINTER + 8)).isEqualTo(unread > 0);
            assertThat(isUnread(1, POINTER)).isFalse();
            assertThat(isUnread(2, POINTER + 8)).isFalse();
            unread--;
        } while (queue.next());
        assertThat(unread).isEqualTo(-1);
        queue.releaseContextData(0);
    }

    @Test
    void reportsEventsThatArriveWhileOthersAreRead() throws Throwable {
        long context = queue.contextData(0, false);
        engine.addTasks(queue.taskSucceeded(), POINTER, 0, context, 2);
        engine.addTask(queue.event(0), POINTER, 1, context);
        queue.progress(engine.address(), 2);
        assertThat(queue.next()).isTrue();
        assertThat(isUnread(0, POINTER)).isTrue();
        engine.addTask(queue.taskSucceeded(), POINTER, 2, context);
        engine.addTask(queue.event(0), POINTER + 8, 2, context);
        queue.progress(engine.address(), 2);
        assertThat(isUnread(0, POINTER + 8)).isTrue();
        assertThat(isUnread(0, POINTER + 16)).isFalse();
        assertThat(isUnread(1, POINTER + 8)).isFalse();
        assertThat(drain(queue)).hasSize(4);
        assertThat(isUnread(0, POINTER)).isFalse();
        assertThat(isUnread(0, POINTER + 8)).isFalse();
        queue.releaseContextData(0);
    }

    private boolean isUnread(int event, long about) {
        return queue.isUnread(CompletionQueue.EVENT + event, about);
    }

    @Test
    void saysWhenThereIsNoPlace() {
        try (CompletionQueue small = open(2L * CompletionQueue.MARGIN)) {
            int places = 0;
            while (small.appendPlaceholder()) {
                places++;
            }
            assertThat(places).isGreaterThanOrEqualTo(2 * CompletionQueue.MARGIN);
            assertThat(drain(small)).hasSize(places).allMatch(record -> record.kind() == CompletionQueue.PLACEHOLDER);
            assertThat(small.appendPlaceholder()).isTrue();
            drain(small);
        }
    }

    @Test
    void everyEventNumberHasCallbacksOfItsOwn() throws Throwable {
        long context = queue.contextData(4, false);
        for (int number = 0; number < CompletionQueue.EVENTS; number++) {
            engine.addTask(queue.event(number), POINTER, number, context);
            engine.addPlain(queue.plainEvent(number), POINTER, context);
        }

        queue.progress(engine.address(), 100);

        List<Seen> expected = new ArrayList<>();
        for (int number = 0; number < CompletionQueue.EVENTS; number++) {
            expected.add(new Seen(CompletionQueue.EVENT + number, 4, number, POINTER, 0, 0));
            expected.add(new Seen(CompletionQueue.EVENT + number, 4, 0, POINTER, 0, 0));
        }
        assertThat(drain(queue)).isEqualTo(expected);
        queue.releaseContextData(4);
    }

    @Test
    void progressStopsAfterAsManyCallsAsAllowed() throws Throwable {
        long context = queue.contextData(0, false);
        for (int task = 0; task < 5; task++) {
            engine.addTask(queue.taskSucceeded(), POINTER, task, context);
        }

        assertThat(queue.progress(engine.address(), 3)).isEqualTo(3);
        assertThat(drain(queue)).hasSize(3);
        assertThat(queue.progress(engine.address(), 3)).isEqualTo(2);
        assertThat(drain(queue)).extracting(Seen::userData).containsExactly(3L, 4L);
        queue.releaseContextData(0);
    }

    @Test
    void progressWaitsUntilARecordThatEndsTheRoundIsHandled() throws Throwable {
        long context = queue.contextData(0, true);
        engine.addTask(queue.taskSucceeded(), POINTER, 1, context);
        engine.addTask(queue.taskFailed(), POINTER, 2, context);
        engine.addState(queue.stateChanged(), POINTER, context, 1, 2);
        engine.addTask(queue.event(0), POINTER, 3, context);
        engine.addTask(queue.taskSucceeded(), POINTER, 4, context);

        assertThat(queue.progress(engine.address(), 9)).isEqualTo(2);
        assertThat(queue.progress(engine.address(), 9)).isZero();
        assertThat(queue.next()).isTrue();
        assertThat(queue.userData()).isEqualTo(1);
        assertThat(queue.progress(engine.address(), 9)).isZero();
        assertThat(drain(queue)).extracting(Seen::userData).containsExactly(2L);
        assertThat(queue.progress(engine.address(), 9)).isEqualTo(1);
        assertThat(queue.progress(engine.address(), 9)).isZero();
        assertThat(drain(queue)).extracting(Seen::kind).containsExactly(CompletionQueue.STATE_CHANGED);
        assertThat(queue.progress(engine.address(), 9)).isEqualTo(2);
        assertThat(drain(queue)).extracting(Seen::userData).containsExactly(3L, 4L);
        queue.releaseContextData(0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void keepsMoreThanThereIsRoomForWhetherReservedOrNot(boolean reserve) throws Throwable {
        int count = 10_000;
        if (reserve) {
            queue.reserve(count);
        }
        long context = queue.contextData(0, false);
        engine.addTasks(queue.taskSucceeded(), POINTER, 0, context, count);

        queue.progress(engine.address(), 1);

        assertThat(drain(queue)).hasSize(count).satisfies(all -> {
            for (int i = 0; i < count; i++) {
                assertThat(all.get(i).userData()).isEqualTo(i);
            }
        });
        queue.releaseContextData(0);
        if (reserve) {
            queue.unreserve(count);
        }
    }

    @Test
    void takesRecordsThatAreMadeWhileOthersAreRead() throws Throwable {
        long context = queue.contextData(0, false);
        engine.addTasks(queue.taskSucceeded(), POINTER, 0, context, 3 * CompletionQueue.MARGIN);
        queue.progress(engine.address(), 1);
        int made = 3 * CompletionQueue.MARGIN;
        List<Long> seen = new ArrayList<>();

        while (queue.next()) {
            seen.add(queue.userData());
            if (made < 5_000) {
                engine.addTask(queue.taskSucceeded(), POINTER, made++, context);
                queue.progress(engine.address(), 1);
            }
        }

        assertThat(seen).hasSize(5_000).isSorted().doesNotHaveDuplicates();
        queue.releaseContextData(0);
    }

    @Test
    void memoryIsBoundedByTheNumberOfUnreadEvents() throws Throwable {
        try (CompletionQueue small = open(2 * CompletionQueue.MARGIN)) {
            long context = small.contextData(0, false);
            engine.addTasks(small.taskSucceeded(), POINTER, 0, context, CompletionQueue.MARGIN);
            small.progress(engine.address(), 1);
            for (long next = 0; next < 1_000; next++) {
                assertThat(small.next()).isTrue();
                assertThat(small.userData()).isEqualTo(next);
                engine.addTask(small.taskSucceeded(), POINTER, next + CompletionQueue.MARGIN, context);
                small.progress(engine.address(), 1);
            }
            assertThat(drain(small)).hasSize(CompletionQueue.MARGIN);
            small.releaseContextData(0);
        }
    }

    @Test
    void atItsLimitThereIsRoomForAsManyAsWereTaken() throws Throwable {
        int limit = 2 * CompletionQueue.MARGIN;
        try (CompletionQueue small = open(limit)) {
            long context = small.contextData(0, false);
            engine.addTasks(small.taskSucceeded(), POINTER, 0, context, limit);
            engine.addTasks(small.taskSucceeded(), POINTER, limit, context, 3);
            small.progress(engine.address(), 1);
            for (int i = 0; i < 3; i++) {
                assertThat(small.next()).isTrue();
            }
            small.progress(engine.address(), 1);

            List<Seen> rest = drain(small);
            assertThat(rest).extracting(Seen::userData).hasSize(limit).isSorted();
            assertThat(rest.getLast().userData()).isEqualTo(limit + 2);
            small.releaseContextData(0);
        }
    }

    @Test
    void saysWhatWasLostAtTheLimitAndGivesTheRest() throws Throwable {
        try (CompletionQueue small = open(2 * CompletionQueue.MARGIN)) {
            long context = small.contextData(0, false);
            engine.addTasks(small.taskSucceeded(), POINTER, 0, context, 2 * CompletionQueue.MARGIN + 3);
            small.progress(engine.address(), 1);

            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(small::next)
                    .withMessage("3 completions were lost: out of memory, or a DOCA library reports more than it was"
                            + " given");
            assertThat(drain(small))
                    .extracting(Seen::userData)
                    .hasSize(2 * CompletionQueue.MARGIN)
                    .isSorted();
            small.releaseContextData(0);
        }
    }

    @Test
    void aReservationLiftsTheLimit() throws Throwable {
        try (CompletionQueue small = open(2 * CompletionQueue.MARGIN)) {
            small.reserve(10 * CompletionQueue.MARGIN);
            long context = small.contextData(0, false);
            engine.addTasks(small.taskSucceeded(), POINTER, 0, context, 10 * CompletionQueue.MARGIN);
            small.progress(engine.address(), 1);

            assertThat(drain(small)).hasSize(10 * CompletionQueue.MARGIN);
            small.releaseContextData(0);
        }
    }

    @Test
    void queuesAreApart() throws Throwable {
        try (CompletionQueue other = open(CompletionQueue.LIMIT)) {
            long mine = queue.contextData(1, false);
            long its = other.contextData(1, false);
            engine.addTask(queue.taskSucceeded(), POINTER, 10, mine);
            engine.addTask(other.taskSucceeded(), POINTER, 20, its);
            queue.progress(engine.address(), 2);

            assertThat(drain(queue)).extracting(Seen::userData).containsExactly(10L);
            assertThat(drain(other)).extracting(Seen::userData).containsExactly(20L);
            queue.releaseContextData(1);
            other.releaseContextData(1);
        }
    }

    @Test
    void mayBeUsedByOneThreadAfterAnother() throws Throwable {
        long context = queue.contextData(0, false);
        engine.addTask(queue.taskSucceeded(), POINTER, 1, context);

        assertThat(CompletableFuture.supplyAsync(() -> queue.progress(engine.address(), 10))
                        .join())
                .isEqualTo(1);

        assertThat(drain(queue)).hasSize(1);
        queue.releaseContextData(0);
    }

    @Test
    void aContextIndexIsUsedOnceAtATime() {
        queue.contextData(3, false);

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> queue.contextData(3, false))
                .withMessage("Context index 3 is in use");
        queue.releaseContextData(3);
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> queue.releaseContextData(3))
                .withMessage("Context index 3 is not in use");
        queue.contextData(3, false);
        queue.releaseContextData(3);
    }

    @Test
    void refusesToCloseUnderAContext() {
        queue.contextData(7, false);
        queue.contextData(2, false);

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(queue::close)
                .withMessage("A completion queue cannot close while contexts use it: [2, 7]");
        assertThat(queue.next()).isFalse();
        queue.releaseContextData(7);
        queue.releaseContextData(2);
    }

    @Test
    void refusesArgumentsOutOfRange() {
        queue.reserve(5);
        refuses(() -> queue.contextData(-1, false), "A context index is not negative: -1");
        refuses(() -> queue.event(8), "Event 8 is not between 0 and 7");
        refuses(() -> queue.plainEvent(-1), "Event -1 is not between 0 and 7");
        refuses(() -> queue.reserve(-1), "Cannot reserve -1 records");
        refuses(() -> queue.unreserve(6), "Cannot take back 6 of 5 reserved records");
        refuses(() -> queue.unreserve(-1), "Cannot take back -1 of 5 reserved records");
    }

    private static void refuses(Runnable call, String message) {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(call::run)
                .withMessage(message);
    }

    @Test
    void everyUseAfterCloseIsRefused() {
        queue.close();
        queue.close();

        List<Consumer<CompletionQueue>> uses = List.of(
                CompletionQueue::taskSucceeded,
                CompletionQueue::taskFailed,
                CompletionQueue::stateChanged,
                closed -> closed.event(0),
                closed -> closed.plainEvent(0),
                closed -> closed.contextData(0, false),
                closed -> closed.releaseContextData(0),
                closed -> closed.reserve(1),
                closed -> closed.unreserve(1),
                closed -> closed.progress(engine.address(), 1),
                closed -> closed.isUnread(CompletionQueue.EVENT, 0),
                CompletionQueue::next);
        assertThat(uses)
                .allSatisfy(use -> assertThatExceptionOfType(IllegalStateException.class)
                        .isThrownBy(() -> use.accept(queue))
                        .withMessage("The completion queue is closed"));
    }
}
