/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import io.docajava.core.internal.export.ExportFiles;
import io.docajava.core.internal.file.SecretFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** Saves and loads exports as the two files of NVIDIA's samples, which only their owner can read. */
final class ExportPair {

    /** The longest line that the samples in C read; two numbers are always shorter. */
    private static final int MAX_BUFFER_INFO = 1024;

    /** The number of characters of a line that a message shows, twice the length of the longest number. */
    private static final int MAX_SHOWN = 48;

    private ExportPair() {}

    /** Deletes the second file first and writes it last: while it exists, both files are of the same export. */
    static void save(MmapExport export, Path descriptor, Path bufferInfo) throws IOException {
        if (real(descriptor).equals(real(bufferInfo))) {
            throw new IllegalArgumentException(
                    "The descriptor and the buffer information need a file each: " + descriptor);
        }
        String lines = Long.toUnsignedString(export.address()) + "\n" + export.length();
        SecretFiles.checkReplaceable(descriptor);
        SecretFiles.checkReplaceable(bufferInfo);
        SecretFiles.delete(bufferInfo);
        SecretFiles.replace(descriptor, export.descriptor());
        SecretFiles.replace(bufferInfo, lines.getBytes(StandardCharsets.US_ASCII));
    }

    /** Resolves the links of folders, by which two names may lead to one file. Neither file itself may be a link. */
    private static Path real(Path file) {
        Path absolute = file.toAbsolutePath();
        Path folder = absolute.getParent();
        try {
            return folder == null ? absolute : folder.toRealPath().resolve(file.getFileName());
        } catch (IOException reportedByTheWriter) {
            return absolute.normalize();
        }
    }

    /**
     * Loads a pair of files. A writer deletes the buffer information before it writes the descriptor, so reading the buffer
     * information twice detects a concurrent writer.
     */
    static MmapExport load(Path descriptor, Path bufferInfo) throws IOException {
        byte[] info = readBufferInfo(bufferInfo);
        byte[] blob = ExportFiles.loadDescriptor(descriptor);
        if (!Arrays.equals(info, readBufferInfo(bufferInfo))) {
            throw new IOException(bufferInfo + ": it was written while it was read; read both files again");
        }
        List<String> lines =
                new String(info, StandardCharsets.ISO_8859_1).lines().toList();
        if (lines.size() < 2) {
            throw new IOException(bufferInfo + ": it has " + lines.size() + (lines.size() == 1 ? " line" : " lines")
                    + ", and not two with the address and the length");
        }
        if (!lines.stream().skip(2).allMatch(String::isBlank)) {
            throw new IOException(bufferInfo + ": it has more than two lines");
        }
        long address = number(bufferInfo, "address", lines.get(0));
        long length = number(bufferInfo, "length", lines.get(1));
        try {
            return MmapExport.of(blob, address, length);
        } catch (IllegalArgumentException e) {
            throw new IOException(bufferInfo + ": " + e.getMessage(), e);
        }
    }

    private static byte[] readBufferInfo(Path file) throws IOException {
        return SecretFiles.read(file, MAX_BUFFER_INFO, "buffer information");
    }

    /** Parses a number as {@code strtoull} with base 0 does, but refuses trailing text. */
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
        try {
            // Refuses signs and digits of other scripts, which the parser accepts.
            if (digits.chars().allMatch(HexFormat::isHexDigit)) {
                return Long.parseUnsignedLong(digits, radix);
            }
        } catch (NumberFormatException e) {
            // Reported below, as other text.
        }
        throw new IOException(file + ": the " + what + " is " + quoted(line.strip()) + ", and not a number of 64 bits");
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
