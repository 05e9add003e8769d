/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.internal.memory.NativeMap.Range;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NativeMapTest {

    /** Addresses are unsigned: the second range contains the largest positive number, the third one ends before the last address. */
    @ParameterizedTest
    @ValueSource(longs = {0x1000, Long.MAX_VALUE - 7, -18})
    void aRangeContainsThoseThatItsEndsBound(long address) {
        Range range = new Range(address, 16);

        assertThat(range.contains(address, 16)).isTrue();
        assertThat(range.contains(address, 1)).isTrue();
        assertThat(range.contains(address + 15, 1)).isTrue();
        assertThat(range.contains(address + 8, 8)).isTrue();
        assertThat(range.contains(address - 1, 1)).isFalse();
        assertThat(range.contains(address - 1, 16)).isFalse();
        assertThat(range.contains(address, 17)).isFalse();
        assertThat(range.contains(address + 1, 16)).isFalse();
        assertThat(range.contains(address + 16, 1)).isFalse();
    }
}
