/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.log;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.core.Doca;
import io.docajava.ffi.internal.HelperLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/** Passes log records to the handler of the SDK, as if the SDK had logged them. */
public final class SdkErrors {

    private static final MethodHandle HANDLER =
            HelperLibrary.downcall("docajava_log_record", FunctionDescriptor.ofVoid(JAVA_LONG));

    private SdkErrors() {}

    /** Simulates an error that the SDK logs during a call of this thread. */
    public static void log(String text) {
        record("[12:34:56:123456][4711][DOCA][ERR][file.c:42][function] " + text + "\n");
    }

    /** Simulates a line that the SDK logs during a call of this thread. */
    static void record(String line) {
        record((line + "\0").getBytes(StandardCharsets.UTF_8));
    }

    /** Simulates a null-terminated text that the SDK logs, with any bytes. */
    static void record(byte[] text) {
        Doca.load();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocateFrom(JAVA_BYTE, text);
            HANDLER.invokeExact(buffer.address());
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
