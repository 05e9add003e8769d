/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;

/**
 * The address and length of exported memory, in two lines as NVIDIA's samples in C write them.
 *
 * @param address unsigned
 * @param length unsigned
 */
record BufferInfo(long address, long length) {

    /** The number of characters of a line that a message shows, twice the length of the longest number. */
    private static final int MAX_SHOWN = 48;

    /** Parses numbers as {@code strtoull} with base 0 does, but refuses trailing text. */
    static BufferInfo parse(Path file, String text) throws IOException {
        List<String> lines = text.lines().toList();
        if (lines.size() < 2) {
            throw new IOException(file + ": it has " + lines.size() + (lines.size() == 1 ? " line" : " lines")
                    + ", and not two with the address and the length");
        }
        for (String line : lines.subList(2, lines.size())) {
            if (!line.isBlank()) {
                throw new IOException(file + ": it has more than two lines");
            }
        }
        return new BufferInfo(number(file, "address", lines.get(0)), number(file, "length", lines.get(1)));
    }

    private static long number(Path file, String what, String line) throws IOException {
        String digits = line.strip();
        if (digits.startsWith("+")) {
            digits = digits.substring(1);
        }
        int radix = 10;
        if (digits.startsWith("0x") || digits.startsWith("0X")) {
            radix = 16;
            digits = digits.substring(2);
        } else if (digits.startsWith("0")) {
            radix = 8;
        }
        if (digits.isEmpty() || !digits.chars().allMatch(BufferInfo::isDigit)) {
            throw noNumber(file, what, line);
        }
        try {
            return Long.parseUnsignedLong(digits, radix);
        } catch (NumberFormatException e) {
            throw noNumber(file, what, line);
        }
    }

    /** Accepts neither signs nor digits of other scripts. */
    private static boolean isDigit(int character) {
        return character < 0x80 && Character.digit(character, 16) >= 0;
    }

    private static IOException noNumber(Path file, String what, String line) {
        return new IOException(
                file + ": the " + what + " is " + quoted(line.strip()) + ", and not a number of 64 bits");
    }

    /** Escapes characters that are not printable, since a terminal that shows the message could interpret them. */
    private static String quoted(String text) {
        StringBuilder shown = new StringBuilder("\"");
        text.chars().limit(MAX_SHOWN).forEach(character -> {
            if (character >= ' ' && character <= '~') {
                shown.append((char) character);
            } else {
                shown.append("\\x").append(HexFormat.of().toHexDigits((byte) character));
            }
        });
        return shown.append(text.length() > MAX_SHOWN ? "...\"" : "\"").toString();
    }
}
