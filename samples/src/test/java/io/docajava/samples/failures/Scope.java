/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.failures;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.testing.Await;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;

/** The objects of one run of a scenario. */
final class Scope {

    static final Duration SOON = Await.LIMIT;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final List<Completion<?>> watched = new ArrayList<>();
    /** The failures, which the thread of a loop adds as well. */
    private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());

    /** Registers an object to be closed at the end, before the objects that were registered earlier. */
    <T extends AutoCloseable> T keep(T object) {
        open.push(object);
        return object;
    }

    /** Creates an engine. Exceptions of its callbacks are failures of the run. */
    ProgressEngine engine() {
        return keep(ProgressEngine.create()).errorHandler(this::note);
    }

    <T> T get(Completion<T> completion) throws Exception {
        return completion.await(SOON);
    }

    void await(ProgressEngine engine, BooleanSupplier condition) throws Exception {
        assertThat(engine.await(condition, SOON))
                .as("waits for the condition at the calling line")
                .isTrue();
    }

    /** Collects the failure of a completion that may not be awaited. */
    <T> Completion<T> watch(Completion<T> completion) {
        watched.add(completion);
        return completion;
    }

    /** Waits for all completions, collects their failures, and throws the last one. */
    void getAll(Completion<?>... completions) throws Exception {
        Exception last = null;
        for (Completion<?> completion : completions) {
            try {
                get(completion);
            } catch (Exception e) {
                note(e);
                last = e;
            }
        }
        if (last != null) {
            throw last;
        }
    }

    void note(Throwable failure) {
        failures.add(failure);
    }

    /** Returns whether something has failed that was not awaited. */
    boolean hasFailed() {
        return !failures().isEmpty();
    }

    /** Closes all objects. Closing each object may fail once. */
    void close() throws Exception {
        while (!open.isEmpty()) {
            AutoCloseable object = open.pop();
            try {
                object.close();
            } catch (Exception e) {
                note(e);
                object.close();
            }
        }
    }

    /** Returns the failures until now. */
    List<Throwable> failures() {
        List<Throwable> all = new ArrayList<>(failures);
        watched.stream()
                .filter(Completion::isCompletedExceptionally)
                .map(Completion::exceptionNow)
                .forEach(all::add);
        return all;
    }
}
