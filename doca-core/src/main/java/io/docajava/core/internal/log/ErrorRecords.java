/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.log;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The errors that the SDK logs on a thread while a call is under way there: the reasons, should the call fail. Whoever
 * learns the outcome of a call takes or forgets them, so that they are never taken for the reasons of a later one.
 */
public final class ErrorRecords {

    /** The first ones are the nearest to the cause. */
    private static final int LIMIT = 4;

    /** DOCA 2.5 logs this after each task that the device has failed. It is no reason for anything. */
    private static final String HARMLESS = "Unable to transition QP to error";

    private static final ThreadLocal<ErrorRecords> OF_THREAD = ThreadLocal.withInitial(ErrorRecords::new);

    /** As long as the SDK has logged no error at all, nothing has to be looked up. */
    private static volatile boolean used;

    private final List<String> texts = new ArrayList<>(LIMIT);
    private int questions;

    private ErrorRecords() {}

    /** Keeps a record of this thread, unless it is harmless or already there. */
    static void add(String text) {
        used = true;
        List<String> texts = OF_THREAD.get().texts;
        if (texts.size() < LIMIT && !text.contains(HARMLESS) && !texts.contains(text)) {
            texts.add(text);
        }
    }

    /** Whether the call that is under way on this thread asks a question, so that its failure is an answer. */
    static boolean areExpected() {
        return OF_THREAD.get().questions > 0;
    }

    /** Gives the records of this thread, the oldest first, and forgets them. */
    public static List<String> take() {
        if (!used) {
            return List.of();
        }
        List<String> texts = OF_THREAD.get().texts;
        if (texts.isEmpty()) {
            return List.of();
        }
        List<String> taken = List.copyOf(texts);
        texts.clear();
        return taken;
    }

    /** Forgets the records of this thread: the call that wrote them is over. Cheap enough for any path. */
    public static void forget() {
        if (used) {
            OF_THREAD.get().texts.clear();
        }
    }

    /** Runs calls whose failures are answers: their records are no errors to anybody, and forgotten in the end. */
    public static <T extends @Nullable Object> T expect(Supplier<T> calls) {
        ErrorRecords records = OF_THREAD.get();
        records.questions++;
        try {
            return calls.get();
        } finally {
            records.questions--;
            records.texts.clear();
        }
    }
}
