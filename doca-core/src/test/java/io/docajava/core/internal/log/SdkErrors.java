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

/** Records that the SDK seems to log: they are given to the handler that the SDK has. */
public final class SdkErrors {

    private static final MethodHandle HANDLER =
            HelperLibrary.downcall("docajava_log_record", FunctionDescriptor.ofVoid(JAVA_LONG));

    private SdkErrors() {}

    /** As if the SDK logged an error during a call of this thread. */
    public static void log(String text) {
        record("[12:34:56:123456][4711][DOCA][ERR][file.c:42][function] " + text + "\n");
    }

    /** As if the SDK logged a line during a call of this thread. */
    static void record(String line) {
        record((line + "\0").getBytes(StandardCharsets.UTF_8));
    }

    /** As if the SDK logged a terminated text of any bytes. */
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
