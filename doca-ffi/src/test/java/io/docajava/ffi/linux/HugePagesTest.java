/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.linux;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.docajava.DocaException;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

/** Tests that need no huge pages; doca-core tests them on a machine that has some. */
class HugePagesTest {

    private static final long TOO_MANY = 1L << 46;

    @Test
    void saysWhatTheSystemSays() {
        try (Arena arena = Arena.ofShared()) {
            assertThatExceptionOfType(DocaException.class)
                    .isThrownBy(() -> HugePages.map(4096, 4096, arena))
                    .withMessage("mmap(MAP_HUGETLB) failed: errno 22 (Invalid argument)");
            assertThatExceptionOfType(DocaException.class)
                    .isThrownBy(() -> HugePages.map(TOO_MANY, 2 << 20, arena))
                    .withMessage("mmap(MAP_HUGETLB) failed: errno 12 (Cannot allocate memory)");
        }
    }
}
