/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.remote;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.memory.Mmap;
import io.docajava.junit.PeerJvm;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaOperation;
import io.docajava.rdma.RdmaTask;
import io.docajava.rdma.RdmaTaskType;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Repeats one operation with a peer until it fails. */
final class Stream {

    static final List<RdmaTaskType> TYPES =
            List.of(RdmaTaskType.WRITE, RdmaTaskType.READ, RdmaTaskType.SEND, RdmaTaskType.ATOMIC_FETCH_ADD);

    private static final int LENGTH = 32768;

    private final RdmaTaskType type;
    private final OwnSide side;
    private final RdmaTask task;
    private int times;

    Stream(RdmaTaskType type, OwnSide side, PeerJvm peer) throws Exception {
        this.type = type;
        this.side = side;
        this.task = task(side.connect(peer), side.importFrom(peer)).onCompletion(done -> {
            if (done.status() == TaskStatus.SUCCEEDED) {
                times++;
                start();
            }
        });
    }

    private RdmaTask task(RdmaConnection connection, Mmap remote) {
        return switch (type) {
            case WRITE -> connection.task(RdmaOperation.write(side.filled(0, LENGTH), remote.range(0, LENGTH)));
            case READ -> connection.task(RdmaOperation.read(remote.range(0, LENGTH), side.memory.range(0, LENGTH)));
            case SEND -> connection.task(RdmaOperation.send(side.filled(0, LENGTH)));
            default -> connection.task(RdmaOperation.fetchAdd(remote.range(0, 8), 1));
        };
    }

    void start() {
        task.submit();
    }

    OwnSide side() {
        return side;
    }

    /** Returns how often the operation succeeded. */
    int times() {
        return times;
    }

    Optional<TaskFailedException> failure() {
        return task.failure();
    }

    /** Returns the beginning of the message of its failure. */
    String words() {
        return switch (type) {
            case WRITE -> "Writing 32768 bytes from 0 of ";
            case READ -> "Reading 32768 bytes from 0 of ";
            case SEND -> "Sending 32768 bytes from 0 of ";
            default -> "Adding to 8 bytes at 0 of ";
        };
    }

    /** Returns the name of its DOCA function. */
    String function() {
        return "doca_rdma_task_" + type.name().toLowerCase(Locale.ROOT);
    }

    void closeTask() {
        task.close();
    }
}
