/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.ConnectionEndedException;
import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.progress.Completion;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Sends numbered messages to {@link Receiver}s that are killed one after the other, without losing a message. It regards a message
 * as handled when it is answered, and continues at the number that the next receiver reports. It runs on a loop, which defers
 * sends when there is no room.
 */
final class ResumingSender implements MessageHandler, CommConnectionListener {

    /**
     * The number of messages in flight: more than a receiver has room for and than the context has tasks, so that some sends wait.
     */
    private static final int WINDOW = 64;

    private final int total;
    private final List<Run> runs = new ArrayList<>();
    private long answered;
    private int ends;

    /** Sends messages from number 0 to {@code total}, exclusively. */
    ResumingSender(int total) {
        this.total = total;
    }

    int total() {
        return total;
    }

    /** Waits until this many messages are answered. */
    void awaitAnswered(long count) throws InterruptedException {
        await(() -> answered >= count, "answer to " + count + " messages");
    }

    /** Waits until this many connections have ended. */
    void awaitEnds(int count) throws InterruptedException {
        await(() -> ends >= count, "end of connection " + count);
    }

    private synchronized void await(BooleanSupplier condition, String what) throws InterruptedException {
        long deadline = System.nanoTime() + ServerLab.SOON.toNanos();
        while (!condition.getAsBoolean()) {
            long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            assertThat(millis)
                    .as("time for the %s, with %d answered", what, answered)
                    .isPositive();
            wait(millis);
        }
    }

    @Override
    public void connected(CommConnection connection) {
        runs.add(new Run(connection));
    }

    @Override
    public synchronized void disconnected(CommConnection connection, DisconnectReason reason) {
        ends++;
        notifyAll();
    }

    @Override
    public void received(CommConnection connection, CommMessage message) {
        Run run = runs.getLast();
        setAnswered(run.acknowledge(message.buffer().getLong()));
        run.send();
    }

    private synchronized void setAnswered(long count) {
        answered = count;
        notifyAll();
    }

    /** Checks the results of all messages, after the loop has ended. */
    void check(Path journal) throws Exception {
        LongBuffer handled = Journal.read(journal);
        assertThat(handled.capacity()).as("messages handled").isEqualTo(total);
        for (int number = 0; number < total; number++) {
            if (handled.get(number) != NumberedMessages.digest(NumberedMessages.message(number))) {
                throw new AssertionError("What was handled as message " + number + " is another one");
            }
        }
        long handledUntilNext = total;
        for (Run run : runs.reversed()) {
            if (run.first < 0) {
                // Its receiver was killed before it reported a number.
                assertThat(run.sends).isEmpty();
            } else {
                run.check(handledUntilNext);
                handledUntilNext = run.first;
            }
        }
    }

    /** One connection, and the messages that were sent on it. */
    private final class Run {

        private final CommConnection connection;
        private final List<Completion<Long>> sends = new ArrayList<>();
        /** The number of the first message, as the receiver has reported it; negative until then. */
        private long first = -1;

        private long answeredByIt;

        Run(CommConnection connection) {
            this.connection = connection;
        }

        /** Handles an answer and returns its count. */
        long acknowledge(long count) {
            if (first < 0) {
                first = count;
            } else {
                assertThat(count).as("messages handled").isEqualTo(answeredByIt + 1);
            }
            answeredByIt = count;
            return count;
        }

        void send() {
            while (first + sends.size() < Math.min(total, answeredByIt + WINDOW)) {
                sends.add(connection.send(NumberedMessages.message(first + sends.size())));
            }
        }

        /** Checks that the receiver handled all answered messages before the next connection, and none of the refused ones. */
        void check(long handledUntilNext) {
            assertThat(sends).allMatch(Future::isDone);
            int sent = (int) sends.stream()
                    .takeWhile(send -> !send.isCompletedExceptionally())
                    .count();
            int left = (int) sends.stream().takeWhile(send -> !isRefused(send)).count();
            assertThat(sends.subList(sent, left)).allMatch(Run::isFailed);
            assertThat(sends.subList(left, sends.size())).allMatch(Run::isRefused);
            assertThat(handledUntilNext).isBetween(answeredByIt, first + left);
        }

        /** Returns whether the message was in flight when the connection ended. */
        private static boolean isFailed(Completion<Long> send) {
            return send.isCompletedExceptionally() && send.exceptionNow() instanceof TaskFailedException;
        }

        /**
         * Returns whether the message was never sent. A client with one connection may stop before that has ended, and the SDK may
         * know of the end before it reports it.
         */
        private static boolean isRefused(Completion<Long> send) {
            return send.isCompletedExceptionally()
                    && switch (send.exceptionNow()) {
                        case ConnectionEndedException ended -> true;
                        case ContextNotRunningException stopped -> true;
                        case TaskFailedException failed -> false;
                        case DocaCallException refused -> refused.error() == DocaError.CONNECTION_RESET;
                        default -> false;
                    };
        }
    }
}
