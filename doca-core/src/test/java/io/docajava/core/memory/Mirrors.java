/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.BufImpl;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.hot.BufCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Compares the buffer state in Java with the state in the SDK. */
final class Mirrors {

    private Mirrors() {}

    /** Checks the list that begins with a buffer, and each of its elements. */
    static void assertTrue(Buf buf) {
        BufElement list = BufImpl.list(buf);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            assertThat(DocaCommon.doca_buf_get_list_len(MemorySegment.ofAddress(list.pointer()), out))
                    .isZero();
            assertThat(list.elements()).isEqualTo(out.get(JAVA_INT, 0));
            for (BufElement element = list; element != null; element = element.next()) {
                assertThat(element.first()).isSameAs(list);
                assertMirrors(element, out);
            }
        }
    }

    private static void assertMirrors(BufElement element, MemorySegment out) {
        assertThat(BufCalls.head(element.pointer(), out.address())).isZero();
        assertThat(element.head()).isEqualTo(out.get(JAVA_LONG, 0));
        assertThat(BufCalls.length(element.pointer(), out.address())).isZero();
        assertThat(element.length()).isEqualTo(out.get(JAVA_LONG, 0));
        if (!element.isStale()) {
            assertThat(BufCalls.data(element.pointer(), out.address())).isZero();
            assertThat(element.data()).isEqualTo(out.get(JAVA_LONG, 0));
            assertThat(BufCalls.dataLength(element.pointer(), out.address())).isZero();
            assertThat(element.dataLength()).isEqualTo(out.get(JAVA_LONG, 0));
        }
        assertThat(DocaCommon.doca_buf_get_next_in_list(MemorySegment.ofAddress(element.pointer()), out))
                .isZero();
        BufElement next = element.next();
        assertThat(next == null ? 0 : next.pointer()).isEqualTo(out.get(JAVA_LONG, 0));
    }
}
