/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.remote;

import io.docajava.core.context.TaskStatus;
import io.docajava.core.memory.MapRange;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaOperation;
import io.docajava.rdma.RdmaTask;
import java.util.ArrayList;
import java.util.List;

/** Adds 1 to a word of a peer's memory repeatedly, with several additions in flight on each of several connections. */
final class Additions implements AutoCloseable {

    private static final int DEPTH = 8;

    private final List<RdmaTask> tasks = new ArrayList<>();
    private int onTheirWay;
    private int done;
    /** The sum of the values before each addition. */
    private long sum;

    Additions(List<RdmaConnection> connections, MapRange word, int timesEach) {
        for (RdmaConnection connection : connections) {
            start(connection, word, timesEach);
        }
    }

    private void start(RdmaConnection connection, MapRange word, int times) {
        int[] left = {times};
        for (int i = 0; i < Math.min(DEPTH, times); i++) {
            RdmaTask task = connection.task(RdmaOperation.fetchAdd(word, 1)).onCompletion(ended -> {
                onTheirWay--;
                if (ended.status() == TaskStatus.SUCCEEDED) {
                    done++;
                    sum += ended.result();
                    submit(ended, left);
                }
            });
            tasks.add(task);
            submit(task, left);
        }
    }

    private void submit(RdmaTask task, int[] left) {
        if (left[0] > 0) {
            left[0]--;
            onTheirWay++;
            task.submit();
        }
    }

    /** Returns whether no addition is in flight, either because all are done or because one has failed. */
    boolean isOver() {
        return onTheirWay == 0;
    }

    @Override
    public void close() {
        tasks.forEach(RdmaTask::close);
    }

    /** Returns the number of finished additions, and the sum of the values before each of them. */
    @Override
    public String toString() {
        return "added " + done + " to " + sum;
    }
}
