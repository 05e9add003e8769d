/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.docs.ways;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The methods of doca-java that were called while something was traced. The classes of a {@link TracingLoader} call it. */
public final class Trace {

    private static final int REPETITIONS = 100;

    private static final List<String> CALLS = Collections.synchronizedList(new ArrayList<>());
    /** The threads that are traced; no one else's calls belong to the way, for example those of a watch that looks now and then. */
    private static volatile Set<Thread> threads = Set.of();

    private Trace() {}

    /** Called at the beginning of each method, with the name of its class. */
    public static void enter(String type) {
        if (threads.contains(Thread.currentThread())) {
            CALLS.add(type);
        }
    }

    /** Traces work that another thread does as well. Its calls depend on the time that they take, so it is traced several times. */
    public static Way ofThreads(String name, Thread other, Runnable work) {
        Set<String> files = new HashSet<>();
        for (int i = 0; i < REPETITIONS; i++) {
            files.addAll(of(name, Set.of(Thread.currentThread(), other), work).files());
        }
        return new Way(name, files, -1);
    }

    /** Traces work of this thread. */
    public static Way of(String name, Runnable work) {
        return of(name, Set.of(Thread.currentThread()), work);
    }

    private static Way of(String name, Set<Thread> traced, Runnable work) {
        CALLS.clear();
        threads = traced;
        work.run();
        threads = Set.of();
        List<String> calls = List.copyOf(CALLS);
        return new Way(name, calls.stream().map(Trace::file).collect(Collectors.toSet()), calls.size());
    }

    /** Returns the name of the file of a class. */
    private static String file(String type) {
        String simple = type.substring(type.lastIndexOf('.') + 1);
        int nested = simple.indexOf('$');
        return nested < 0 ? simple : simple.substring(0, nested);
    }

    /**
     * The way of one operation.
     *
     * @param files without their suffix
     * @param calls the number of calls of methods; -1 if it varies
     */
    public record Way(String name, Set<String> files, int calls) {}
}
