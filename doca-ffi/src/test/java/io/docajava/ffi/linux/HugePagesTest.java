/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

/** What a machine without huge pages can tell as well; doca-core tests them on one that has some. */
class HugePagesTest {

    private static final long TOO_MANY = 1L << 46;

    @Test
    void saysWhatTheSystemSays() {
        try (Arena arena = Arena.ofShared()) {
            assertThatExceptionOfType(UncheckedIOException.class)
                    .isThrownBy(() -> HugePages.map(4096, 4096, arena))
                    .satisfies(e -> assertThat(e.getCause())
                            .hasMessage("mmap(MAP_HUGETLB) failed: errno 22 (Invalid argument)"));
            assertThatExceptionOfType(UncheckedIOException.class)
                    .isThrownBy(() -> HugePages.map(TOO_MANY, 2 << 20, arena))
                    .satisfies(e -> assertThat(e.getCause())
                            .hasMessage("mmap(MAP_HUGETLB) failed: errno 12 (Cannot allocate memory)"));
        }
    }
}
