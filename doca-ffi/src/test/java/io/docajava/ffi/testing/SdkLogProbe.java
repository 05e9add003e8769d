/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.testing;

import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.log.SdkLog;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/** Runs in a JVM of its own: takes the log of a fake SDK, and does what its arguments ask for. */
public final class SdkLogProbe {

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

    private static void run(String request, int level) {
        Consumer<String> print =
                text -> System.out.print((Thread.currentThread().isDaemon() ? "daemon " : "") + text);
        switch (request) {
            case "install" -> SdkLog.install(level, print);
            case "install-thrower" ->
                SdkLog.install(level, text -> {
                    print.accept(text);
                    throw new AssertionError("the sink is broken");
                });
            case "level" -> SdkLog.setLevel(level);
            case "log" -> DocaCommon.doca_pe_destroy(MemorySegment.NULL);
            case "log-elsewhere" -> DocaCommon.doca_pe_progress(MemorySegment.NULL);
            default -> throw new IllegalArgumentException(request);
        }
    }
}
