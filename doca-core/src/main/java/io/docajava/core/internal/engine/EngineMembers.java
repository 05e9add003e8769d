/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.engine;

import io.docajava.core.progress.EngineStats;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The contexts and graphs that are connected to an engine. Each has an index, which the records of its completions
 * carry. Only the engine's thread may call, except for {@link #stats} and
 * {@link #isAnyWaiting}.
 */
final class EngineMembers {

    /** By index; null at the index of a graph and at one that is free. */
    private final List<@Nullable EngineContext> byIndex = new ArrayList<>();
    /** The receivers of successes of tasks, with the same indices; one that ignores them where {@link #byIndex} has null. */
    private LongConsumer[] successes = {};
    /** By index, in the order of their registration. */
    private final Map<Integer, GraphCore> graphs = new LinkedHashMap<>();
    /** Indices of removed members, for reuse. */
    private final ArrayDeque<Integer> freeIndices = new ArrayDeque<>();
    /** Indices of members that were removed during a delivery. Undelivered records may still carry them. */
    private final ArrayDeque<Integer> quarantinedIndices = new ArrayDeque<>();

    /** Guards what other threads read: {@link #contexts} together with {@link #removed}. */
    private final Object lock = new Object();
    /**
     * The contexts of {@link #byIndex}. Replaced by a new array, never modified, so that contexts may be removed while
     * their engine iterates.
     */
    private EngineContext[] contexts = {};
    /** The totals of removed contexts. */
    private final Activity removed = new Activity();

    /** Returns the connected contexts, in the order of their indices. The caller must not modify the array. */
    EngineContext[] contexts() {
        return contexts;
    }

    /** Returns the context with an index; null if it is that of a graph, or if the context was removed. */
    @Nullable
    EngineContext context(int index) {
        return byIndex.get(index);
    }

    /** Returns the receiver of successes of the context with an index; it ignores them if the context was removed. */
    LongConsumer success(int index) {
        return successes[index];
    }

    /** Ignores what the SDK reports of a context that was removed. */
    private static void ignore(long userData) {}

    /** Returns the graph with an index; null if it was removed. */
    @Nullable
    GraphCore graph(int index) {
        return graphs.get(index);
    }

    /** Returns the graphs in reverse order of their registration, so each before its subgraphs. */
    List<GraphCore> graphs() {
        return new ArrayList<>(graphs.values()).reversed();
    }

    /**
     * Adds a context and returns its index.
     *
     * @param success called with the user data of a task that has succeeded
     */
    int add(EngineContext context, LongConsumer success) {
        int index = freeIndex();
        byIndex.set(index, context);
        successes[index] = success;
        synchronized (lock) {
            contexts = connected();
        }
        return index;
    }

    private EngineContext[] connected() {
        return byIndex.stream().filter(Objects::nonNull).toArray(EngineContext[]::new);
    }

    int add(GraphCore graph) {
        int index = freeIndex();
        graphs.put(index, graph);
        return index;
    }

    private int freeIndex() {
        Integer free = freeIndices.poll();
        if (free != null) {
            return free;
        }
        byIndex.add(null);
        successes = Arrays.copyOf(successes, byIndex.size());
        successes[byIndex.size() - 1] = EngineMembers::ignore;
        return byIndex.size() - 1;
    }

    /**
     * Removes the member with an index.
     *
     * @param delivering whether records that carry the index may be undelivered; it is then reused only after {@link
     *     #endDelivery()}
     */
    void remove(int index, boolean delivering) {
        graphs.remove(index);
        successes[index] = EngineMembers::ignore;
        EngineContext context = byIndex.set(index, null);
        if (context != null) {
            synchronized (lock) {
                contexts = connected();
                removed.add(context.activity());
            }
        }
        (delivering ? quarantinedIndices : freeIndices).add(index);
    }

    /** Allows the reuse of all indices, as no record is undelivered. */
    void endDelivery() {
        if (!quarantinedIndices.isEmpty()) {
            freeIndices.addAll(quarantinedIndices);
            quarantinedIndices.clear();
        }
    }

    int inFlight() {
        int sum = 0;
        for (EngineContext context : contexts) {
            sum += context.countInFlight();
        }
        return sum;
    }

    /** Returns whether an operation in flight or a connect of a context needs progress to end. Any thread may call. */
    boolean isAnyWaiting() {
        synchronized (lock) {
            return Arrays.stream(contexts)
                    .anyMatch(context -> context.activity().isAnyWaiting());
        }
    }

    /**
     * Returns whether arming the engine may lose events. Those of a context that changes its state may be lost: DOCA does not
     * document that a state change is signalled, and with 3.0 an RDMA context that is armed while it stops never reports the
     * receives that the stop has flushed, and never becomes idle.
     */
    boolean loseEventsWhenArmed() {
        for (EngineContext context : contexts) {
            if (context.isInTransition() || context.losesEventsWhenArmed()) {
                return true;
            }
        }
        return false;
    }

    boolean isAnyGraphRunning() {
        return graphs.values().stream().anyMatch(GraphCore::isRunning);
    }

    /**
     * Returns the sums over all contexts, including those that were removed. Any thread may call.
     *
     * @param queued the number of operations in the queue of a loop
     * @param wakeUps the number of sleeps that have ended
     */
    EngineStats stats(long queued, long wakeUps) {
        synchronized (lock) {
            long inFlight = 0;
            long completed = removed.completed();
            long failed = removed.failed();
            long bytes = removed.bytes();
            Duration oldest = Duration.ZERO;
            for (EngineContext context : contexts) {
                Activity open = context.activity();
                inFlight += open.inFlight();
                completed += open.completed();
                failed += open.failed();
                bytes += open.bytes();
                Duration age = open.age(context.oldestInFlight());
                oldest = age.compareTo(oldest) > 0 ? age : oldest;
            }
            return new EngineStats(queued, inFlight, completed, failed, bytes, oldest, wakeUps);
        }
    }
}
