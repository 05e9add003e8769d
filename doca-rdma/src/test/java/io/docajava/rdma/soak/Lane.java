/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.soak;

import io.docajava.DocaException;
import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.rdma.OperationEnd;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaOperation;
import io.docajava.rdma.RdmaTaskType;
import io.docajava.rdma.ReceivedKind;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The steps of one side on one connection. Steps run one after the other; each has concurrent operations and checks them all. */
final class Lane {

    private static final int MOST_OF_A_STEP = 16;
    /** The exponent of the largest operation in a step of several operations: 1 MiB. */
    private static final int EXPONENT_OF_MANY = 20;

    private final Endpoint endpoint;
    private final RdmaConnection connection;
    private final int index;
    private final Mmap remote;
    private final int remoteIndex;
    private final RandomGenerator random;
    private final long sendingKey;
    private final long receivingKey;

    private long sent;
    private long received;
    private long writtenToInbox;
    /** The current value of the peer's word. */
    private long word;

    private long steps;
    private long lastStep;
    private String doing = "nothing";

    /**
     * @param key the same at both ends, and unique for each connection
     * @param first true at one end, and false at the other end
     */
    Lane(
            Endpoint endpoint,
            RdmaConnection connection,
            int index,
            Mmap remote,
            int remoteIndex,
            long key,
            boolean first) {
        this.endpoint = endpoint;
        this.connection = connection;
        this.index = index;
        this.remote = remote;
        this.remoteIndex = remoteIndex;
        this.sendingKey = first ? key : ~key;
        this.receivingKey = ~sendingKey;
        this.random = new SplittableRandom(sendingKey);
    }

    /** Runs one step after the other until an operation fails. */
    void next() {
        steps++;
        lastStep = System.nanoTime();
        try {
            switch (random.nextInt(4)) {
                case 0 -> messages();
                case 1 -> writes();
                case 2 -> read();
                default -> atomics();
            }
        } catch (IllegalStateException | DocaException e) {
            endpoint.breakOff(e);
        }
    }

    /** Returns when the last step began. */
    long lastStep() {
        return lastStep;
    }

    RdmaConnection connection() {
        return connection;
    }

    /*
     * Steps
     */

    /** Several operations, and the check of their results after all have ended. */
    private final class Step {

        private final Runnable checks;
        private int pending;
        private @Nullable TaskFailedException failure;

        Step(Runnable checks) {
            this.checks = checks;
        }

        /** Adds one operation to the step. */
        Handler<OperationEnd> add(RdmaTaskType type) {
            return add(result -> endpoint.counts().add(type, result));
        }

        Handler<OperationEnd> addAtomic(RdmaTaskType type, List<Long> results) {
            return add(result -> {
                results.add(result);
                endpoint.counts().add(type, Long.BYTES);
            });
        }

        private Handler<OperationEnd> add(LongConsumer whenSucceeded) {
            pending++;
            return (end, reason) -> {
                if (reason == null) {
                    whenSucceeded.accept(end.result());
                } else {
                    failure = reason;
                }
                ended();
            };
        }

        private void ended() {
            pending--;
            if (pending > 0) {
                return;
            }
            if (failure != null) {
                endpoint.breakOff(failure);
            } else {
                checks.run();
                next();
            }
        }
    }

    private void messages() {
        doing = "messages";
        Step step = new Step(() -> {});
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            Message message = Message.of(sendingKey, sent);
            if (message.kind() != ReceivedKind.WRITE_IMMEDIATE || inboxIsSeen()) {
                sent++;
                start(message, step);
            }
        }
        if (step.pending == 0) {
            read();
        }
    }

    /** Returns whether the peer has checked the bytes that were written to its inbox. */
    private boolean inboxIsSeen() {
        return endpoint.memory().segment().get(ValueLayout.JAVA_LONG, Layout.acknowledged(index)) == writtenToInbox;
    }

    private void start(Message message, Step step) {
        MapRange source = endpoint.memory().range(message.shift(), message.length());
        switch (message.kind()) {
            case SEND -> connection.send(source, step.add(RdmaTaskType.SEND));
            case SEND_IMMEDIATE ->
                connection.submit(
                        RdmaOperation.sendImmediate(source, message.immediate()), step.add(RdmaTaskType.SEND_IMM));
            case WRITE_IMMEDIATE -> {
                writtenToInbox++;
                MapRange target = remote.range(Layout.inbox(remoteIndex) + message.offset(), message.length());
                connection.submit(
                        RdmaOperation.writeImmediate(source, target, message.immediate()),
                        step.add(RdmaTaskType.WRITE_IMM));
            }
        }
    }

    /** A part of the bytes and its destination. */
    private record Part(int shift, long offset, int length) {}

    /** Writes adjacent parts of the bytes to the window of the peer, and reads all of them back without waiting in between. */
    private void writes() {
        doing = "writes";
        int count = random.nextBoolean() ? 1 : 1 + random.nextInt(MOST_OF_A_STEP);
        List<Part> parts = new ArrayList<>();
        int sum = 0;
        for (int i = 0; i < count; i++) {
            int length = count == 1 ? Message.length(random) : Message.length(random, EXPONENT_OF_MANY);
            parts.add(new Part(random.nextInt(Layout.SHIFTS), sum, length));
            sum += length;
        }
        Step step = new Step(() -> {
            for (Part part : parts) {
                check(part.shift, Layout.target(index) + part.offset, part.length, "What was written");
            }
        });
        long start = Layout.window(remoteIndex) + random.nextInt(Layout.MAX - sum + 1);
        for (Part part : parts) {
            MapRange source = endpoint.memory().range(part.shift, part.length);
            MapRange target = remote.range(start + part.offset, part.length);
            connection.write(source, target, step.add(RdmaTaskType.WRITE));
        }
        startRead(start, sum, step);
    }

    /** Reads a part of the random bytes of the peer. */
    private void read() {
        doing = "a read";
        int length = Message.length(random);
        int shift = random.nextInt(Layout.SHIFTS);
        startRead(shift, length, new Step(() -> check(shift, Layout.target(index), length, "What was read")));
    }

    private void startRead(long offset, int length, Step step) {
        MapRange target = endpoint.memory().range(Layout.target(index), length);
        connection.read(remote.range(offset, length), target, step.add(RdmaTaskType.READ));
    }

    /** Changes the peer's word, which only this lane changes, and compares each value that an operation returns. */
    private void atomics() {
        doing = "atomic operations";
        List<Long> found = new ArrayList<>();
        List<Long> expected = new ArrayList<>();
        Step step = new Step(() -> {
            if (!found.equals(expected)) {
                throw new AssertionError(this + ": found " + found + " in place of " + expected);
            }
        });
        MapRange target = remote.range(Layout.word(remoteIndex), Long.BYTES);
        int count = 1 + random.nextInt(MOST_OF_A_STEP);
        for (int i = 0; i < count; i++) {
            expected.add(word);
            if (random.nextBoolean()) {
                long addend = random.nextLong();
                connection.submit(
                        RdmaOperation.fetchAdd(target, addend), step.addAtomic(RdmaTaskType.ATOMIC_FETCH_ADD, found));
                word += addend;
            } else {
                long replacement = random.nextLong();
                boolean replaces = random.nextBoolean();
                connection.submit(
                        RdmaOperation.compareAndSwap(target, replaces ? word : word + 1, replacement),
                        step.addAtomic(RdmaTaskType.ATOMIC_CMP_SWP, found));
                word = replaces ? replacement : word;
            }
        }
    }

    // Operations of the peer

    /** Checks a received message, which a send has written to the beginning of a range. */
    void received(MapRange range, long length, ReceivedKind kind, int immediate) {
        Message message = Message.of(receivingKey, received++);
        if (length != message.length() || kind != message.kind() || immediate != message.immediate()) {
            throw new AssertionError(this + ": received " + kind + " of " + length + " bytes with " + immediate
                    + " in place of " + message);
        }
        endpoint.counts().add(RdmaTaskType.RECEIVE, length);
        if (kind == ReceivedKind.WRITE_IMMEDIATE) {
            check(message.shift(), Layout.inbox(index) + message.offset(), length, "What came to the inbox");
            try {
                acknowledge();
            } catch (IllegalStateException | DocaException e) {
                endpoint.breakOff(e);
            }
        } else {
            check(message.shift(), range.offset(), length, "What was received");
        }
    }

    /** Acknowledges a message. This is not a separate step: the next step begins when the current one has ended. */
    private void acknowledge() {
        MapRange target = remote.range(Layout.acknowledged(remoteIndex), Long.BYTES);
        connection.submit(RdmaOperation.fetchAdd(target, 1), (end, failure) -> {
            if (failure == null) {
                endpoint.counts().add(RdmaTaskType.ATOMIC_FETCH_ADD, Long.BYTES);
            } else {
                endpoint.breakOff(failure);
            }
        });
    }

    private void check(long shift, long at, long length, String what) {
        if (!Layout.matches(endpoint.memory().segment(), shift, at, length)) {
            throw new AssertionError(
                    this + ": " + what + ", " + length + " bytes of those from " + shift + " on, is not that at " + at);
        }
    }

    @Override
    public String toString() {
        return connection + ", step " + steps + ", " + doing + ", " + sent + " sent, " + received + " received";
    }
}
