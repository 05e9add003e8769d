/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.comch;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the callbacks by calling them as C would. */
class ComchCallbacksTest {

    private static final FunctionDescriptor STATUS_CHANGED = FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_BYTE);
    private static final FunctionDescriptor RECEIVED =
            FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);

    private final Log log = new Log();
    private final ComchCallbacks callbacks = new ComchCallbacks(log);

    @AfterEach
    void close() {
        callbacks.close();
    }

    private static void statusChanged(MemorySegment callback, long connection, int successful) throws Throwable {
        Linker.nativeLinker().downcallHandle(callback, STATUS_CHANGED).invokeExact(1L, connection, (byte) successful);
    }

    private void received(String text, long connection) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocateFrom(text);
            Linker.nativeLinker()
                    .downcallHandle(callbacks.received(), RECEIVED)
                    .invokeExact(1L, bytes.address(), text.length(), connection);
        }
    }

    @Test
    void tellTheListenerAtOnce() throws Throwable {
        statusChanged(callbacks.connected(), 0x7fff_0000_0010L, 1);
        statusChanged(callbacks.connected(), 2, 0);
        received("hello", 3);
        statusChanged(callbacks.disconnected(), 4, 1);
        statusChanged(callbacks.disconnected(), 5, 0);

        assertThat(log.lines)
                .containsExactly(
                        "connected 140733193388048 true",
                        "connected 2 false",
                        "received 3 hello",
                        "disconnected 4 true",
                        "disconnected 5 false");
    }

    @Test
    void exceptionsOfTheListenerLeaveNoCallback() throws Throwable {
        log.thrown = new IllegalStateException("thrown");

        statusChanged(callbacks.connected(), 1, 1);
        statusChanged(callbacks.disconnected(), 1, 1);
        received("lost", 1);

        assertThat(log.lines).containsExactly("failed thrown", "failed thrown", "failed thrown");
    }

    @Test
    void anExceptionThatCouldNotBeReportedIsReportedWithTheNextCallback() throws Throwable {
        log.thrown = new IllegalStateException("thrown");
        log.thrownByFailed = new IllegalStateException("no place for it");
        received("lost", 1);
        assertThat(log.lines).isEmpty();
        log.thrown = null;
        log.thrownByFailed = null;

        received("next", 1);

        assertThat(log.lines).containsExactly("failed thrown", "received 1 next");
    }

    private static final class Log implements ComchCallbacks.Listener {

        final List<String> lines = new ArrayList<>();

        @Nullable
        RuntimeException thrown;

        @Nullable
        RuntimeException thrownByFailed;

        @Override
        public void connected(long connection, boolean successful) {
            add("connected " + connection + " " + successful, thrown);
        }

        @Override
        public void disconnected(long connection, boolean successful) {
            add("disconnected " + connection + " " + successful, thrown);
        }

        @Override
        public void received(long connection, byte[] message) {
            add("received " + connection + " " + new String(message, StandardCharsets.UTF_8), thrown);
        }

        @Override
        public void failed(Throwable failure) {
            add("failed " + failure.getMessage(), thrownByFailed);
        }

        private void add(String line, @Nullable RuntimeException toThrow) {
            if (toThrow != null) {
                throw toThrow;
            }
            lines.add(line);
        }
    }
}
