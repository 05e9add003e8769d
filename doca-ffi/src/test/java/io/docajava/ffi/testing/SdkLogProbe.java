/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.testing;

import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.log.SdkLog;
import io.docajava.ffi.log.SdkLogRecord;
import java.lang.foreign.MemorySegment;

/** Takes over the log of a fake SDK in a separate JVM, and executes the requests in its arguments. */
public final class SdkLogProbe {

    private static final long PATIENCE_MILLIS = 30_000;

    /** Arrays that form a list by their first elements. */
    private static Object[] memory = {};

    private SdkLogProbe() {}

    /** Takes requests such as {@code install 50}, {@code log} or {@code log-elsewhere}. */
    public static void main(String[] arguments) {
        for (String argument : arguments) {
            String[] words = argument.split(" ", -1);
            try {
                run(words[0], words.length > 1 ? Integer.parseInt(words[1]) : 0);
            } catch (RuntimeException e) {
                System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
            }
        }
    }

    private static void run(String request, int number) {
        switch (request) {
            case "install" -> SdkLog.install(number, new Printing(false));
            case "install-thrower" -> SdkLog.install(number, new Printing(true));
            case "uninstall" -> SdkLog.uninstall();
            case "log-unheard" -> DocaCommon.doca_pe_destroy(MemorySegment.NULL);
            case "threads" ->
                System.out.println("readers: "
                        + Thread.getAllStackTraces().keySet().stream()
                                .filter(thread -> thread.getName().startsWith("doca-sdk-log"))
                                .count());
            case "level" -> SdkLog.setLevel(number);
            case "log" -> {
                DocaCommon.doca_pe_destroy(MemorySegment.NULL);
                awaitDelivery();
            }
            case "log-elsewhere-unheard" -> DocaCommon.doca_pe_progress(MemorySegment.NULL);
            case "log-elsewhere" -> {
                DocaCommon.doca_pe_progress(MemorySegment.NULL);
                awaitDelivery();
            }
            case "log-on-worker" -> {
                DocaCommon.doca_pe_connect_ctx(MemorySegment.NULL, MemorySegment.NULL);
                awaitDelivery();
            }
            case "log-without-memory" -> logWithoutMemory();
            case "take" -> System.out.println("errors: " + SdkLog.takeErrors());
            case "forget" -> SdkLog.forgetErrors();
            case "expect" -> System.out.println("expected before: " + SdkLog.expectErrors(number != 0));
            case "log-and-exit" -> {
                DocaCommon.doca_pe_destroy(MemorySegment.NULL);
                System.exit(0);
            }
            default -> throw new IllegalArgumentException(request);
        }
    }

    private static void awaitDelivery() {
        if (!SdkLog.awaitDelivery(PATIENCE_MILLIS)) {
            throw new IllegalStateException("A record was not delivered within " + PATIENCE_MILLIS + " ms");
        }
    }

    /**
     * Makes other threads log while the heap is too full for the smallest object. The call must have been made once before, as its
     * first run needs memory.
     */
    private static void logWithoutMemory() {
        Object[] nothing = memory;
        for (int size = 1 << 20; size > 0; size /= 2) {
            try {
                while (true) {
                    Object[] more = new Object[size];
                    more[0] = memory;
                    memory = more;
                }
            } catch (OutOfMemoryError e) {
                // Continues with smaller arrays.
            }
        }
        for (int i = 0; i < 20; i++) {
            DocaCommon.doca_pe_progress(MemorySegment.NULL);
        }
        memory = nothing;
        DocaCommon.doca_pe_destroy(MemorySegment.NULL);
        awaitDelivery();
    }

    /** Prints all records. */
    private record Printing(boolean failing) implements SdkLog.Sink {

        @Override
        public void record(SdkLogRecord record) {
            Thread thread = Thread.currentThread();
            System.out.print((thread.isDaemon() && thread.getName().equals("doca-sdk-log") ? "" : "on " + thread + ": ")
                    + (record.threadName().equals("elsewhere") ? "elsewhere: " : "")
                    + (record.expected() ? "expected: " : "")
                    + record.level() + " " + record.line());
            if (failing) {
                throw new AssertionError("the sink is broken");
            }
        }

        @Override
        public void lost(long records) {
            System.out.println(records > 0 ? "some were lost" : "none was lost");
        }
    }
}
