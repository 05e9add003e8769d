/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.log;

import java.util.ArrayDeque;
import java.util.List;

/** The last errors that the SDK logged on each thread: the reasons of a call that fails there. */
public final class ErrorRecords {

    /** The first reasons are the nearest to the cause, but a loop of retries must not fill the memory. */
    private static final int LIMIT = 4;

    private static final ThreadLocal<ArrayDeque<String>> OF_THREAD =
            ThreadLocal.withInitial(() -> new ArrayDeque<>(LIMIT));

    private ErrorRecords() {}

    /** Keeps a record of this thread, in place of the oldest when there are too many. */
    static void add(String text) {
        ArrayDeque<String> records = OF_THREAD.get();
        if (records.size() == LIMIT) {
            records.removeFirst();
        }
        records.addLast(text);
    }

    /** Gives the records of this thread, the oldest first, and forgets them. */
    public static List<String> take() {
        ArrayDeque<String> records = OF_THREAD.get();
        List<String> taken = List.copyOf(records);
        records.clear();
        return taken;
    }

    /** Forgets the records of this thread: the calls that wrote them are over. */
    public static void forget() {
        OF_THREAD.get().clear();
    }
}
