/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class MappingListTest {

    private static final String LIST = """
            5000-6000 r--p 00000000 fd:01 1234                       /usr/bin/java
            7000-8000 rw-p 00000000 00:00 0
            8000-9000 rw-p 00000000 00:00 0                          [heap]
            9000-a000 rw-s 00001000 00:05 9                          /dev/zero (deleted)
            ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0  [vsyscall]
            """;

    @Test
    void findsAMappingOfAFileInARange() throws Exception {
        assertThat(isAnyOfFile(0x4000, 0x5000)).isFalse();
        assertThat(isAnyOfFile(0x4000, 0x5001)).isTrue();
        assertThat(isAnyOfFile(0x5fff, 0x6001)).isTrue();
        assertThat(isAnyOfFile(0x6000, 0x9000)).isFalse();
        assertThat(isAnyOfFile(0x7800, 0x9001)).isTrue();
        assertThat(isAnyOfFile(0x9fff, 0xa000)).isTrue();
        assertThat(isAnyOfFile(0xa000, 0xb000)).isFalse();
        assertThat(isAnyOfFile(0xffffffffff600000L, 0xffffffffff600010L)).isFalse();
    }

    @Test
    void refusesAnotherList() {
        assertThatThrownBy(() -> read("500x-6000 r--p", 0, 1))
                .isInstanceOf(IOException.class)
                .hasMessage("'x' is not a digit of an address");
        assertThatThrownBy(() -> read("0-6000 r--p 0", 0, 1))
                .isInstanceOf(EOFException.class)
                .hasMessage("The list ends within a line");
    }

    private static boolean isAnyOfFile(long from, long to) throws IOException {
        return read(LIST, from, to);
    }

    private static boolean read(String list, long from, long to) throws IOException {
        return new MappingList(new ByteArrayInputStream(list.getBytes(StandardCharsets.US_ASCII)))
                .isAnyOfFile(from, to);
    }
}
