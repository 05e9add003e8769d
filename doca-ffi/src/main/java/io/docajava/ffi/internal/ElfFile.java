/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The header of an ELF file, read to say plainly why a file cannot be loaded here. */
final class ElfFile {

    private static final int HEADER_SIZE = 20;
    private static final int MAGIC = 0x7f454c46;
    private static final int CLASS_64 = 2;
    private static final int LITTLE_ENDIAN = 1;

    private static final int CLASS_OFFSET = 4;
    private static final int ENCODING_OFFSET = 5;
    private static final int MACHINE_OFFSET = 18;

    private ElfFile() {}

    /** Why a file is no library for this platform, or nothing if its header is as it should be. */
    static Optional<String> misfit(Path file, Platform platform) {
        byte[] header;
        try (InputStream in = Files.newInputStream(file)) {
            header = in.readNBytes(HEADER_SIZE);
        } catch (IOException e) {
            return Optional.of("cannot be read: " + e);
        }
        if (header.length < HEADER_SIZE || ByteBuffer.wrap(header).getInt() != MAGIC) {
            return Optional.of("is not an ELF file");
        }
        int machine = Short.toUnsignedInt(ByteBuffer.wrap(header)
                .order(header[ENCODING_OFFSET] == LITTLE_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN)
                .getShort(MACHINE_OFFSET));
        if (machine != platform.elfMachine()) {
            return Optional.of("is built for " + machineName(machine) + ", but this JVM runs on " + platform.name());
        }
        if (header[CLASS_OFFSET] != CLASS_64) {
            return Optional.of("is a 32-bit library, but this JVM is 64-bit");
        }
        return Optional.empty();
    }

    private static String machineName(int machine) {
        return switch (machine) {
            case 3 -> "x86 (32-bit)";
            case 40 -> "arm (32-bit)";
            case 21 -> "ppc64";
            case 22 -> "s390x";
            case 62 -> "x86_64";
            case 183 -> "aarch64";
            case 243 -> "riscv";
            default -> "machine " + machine;
        };
    }
}
