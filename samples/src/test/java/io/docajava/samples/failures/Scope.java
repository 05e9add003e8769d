/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.failures;

import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/** The objects of one run of a scenario. */
final class Scope {

    static final Duration SOON = Duration.ofSeconds(5);

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final List<Completion<?>> watched = new ArrayList<>();
    /** The thread of a loop notes failures as well. */
    private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());

    /** Keeps an object to be closed at the end, before those that were kept earlier. */
    <T extends AutoCloseable> T keep(T object) {
        open.push(object);
        return object;
    }

    /** An engine whose callbacks' failures count as the run's. */
    ProgressEngine engine() {
        return keep(ProgressEngine.create()).errorHandler(this::note);
    }

    <T> T get(ProgressEngine engine, Completion<T> completion) throws Exception {
        return completion.await(engine, SOON);
    }

    /** Notes the failure of something that may not be awaited. */
    <T> Completion<T> watch(Completion<T> completion) {
        watched.add(completion);
        return completion;
    }

    /** Awaits all, notes what fails, and throws the last failure. */
    void getAll(ProgressEngine engine, Completion<?>... completions) throws Exception {
        Exception last = null;
        for (Completion<?> completion : completions) {
            try {
                get(engine, completion);
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

    /** Closes all objects, each of which may fail once. */
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

    /** What has failed, to be asked for when all is closed. */
    List<Throwable> failures() {
        List<Throwable> all = new ArrayList<>(failures);
        watched.stream()
                .filter(Completion::isCompletedExceptionally)
                .map(Completion::exceptionNow)
                .forEach(all::add);
        return all;
    }
}
