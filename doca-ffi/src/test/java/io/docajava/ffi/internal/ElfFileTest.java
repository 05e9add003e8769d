/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.ffi.DocaLibraryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ElfFileTest {

    private static final byte CLASS_32 = 1;
    private static final byte CLASS_64 = 2;

    @TempDir
    private Path folder;

    @Test
    void takesALibraryOfThisArchitecture() throws IOException {
        assertThat(ElfFile.misfit(file(header(CLASS_64, ByteOrder.LITTLE_ENDIAN, 62)), Platform.X86_64))
                .isEmpty();
        assertThat(ElfFile.misfit(file(header(CLASS_64, ByteOrder.LITTLE_ENDIAN, 183)), Platform.AARCH64))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "183, aarch64",
        "21, ppc64",
        "22, s390x",
        "243, riscv",
        "3, x86 (32-bit)",
        "40, arm (32-bit)",
        "258, machine 258"
    })
    void namesTheArchitectureOfAForeignLibrary(int machine, String name) throws IOException {
        assertThat(ElfFile.misfit(file(header(CLASS_64, ByteOrder.LITTLE_ENDIAN, machine)), Platform.X86_64))
                .contains("is built for " + name + ", but this JVM runs on x86_64");
    }

    @Test
    void readsTheMachineInTheFilesOwnByteOrder() throws IOException {
        assertThat(ElfFile.misfit(file(header(CLASS_64, ByteOrder.BIG_ENDIAN, 22)), Platform.AARCH64))
                .contains("is built for s390x, but this JVM runs on aarch64");
    }

    @Test
    void refusesA32BitLibraryOfTheSameMachine() throws IOException {
        assertThat(ElfFile.misfit(file(header(CLASS_32, ByteOrder.LITTLE_ENDIAN, 62)), Platform.X86_64))
                .contains("is a 32-bit library, but this JVM is 64-bit");
    }

    @Test
    void refusesTextAndCutFiles() throws IOException {
        assertThat(ElfFile.misfit(
                        file("INPUT(libdoca_common.so.2)\n".getBytes(StandardCharsets.US_ASCII)), Platform.X86_64))
                .contains("is not an ELF file");
        assertThat(ElfFile.misfit(file(HexFormat.of().parseHex("7f454c46")), Platform.X86_64))
                .contains("is not an ELF file");
        assertThat(ElfFile.misfit(file(new byte[0]), Platform.X86_64)).contains("is not an ELF file");
    }

    @Test
    void refusesALibraryThatIsCutOff() throws IOException {
        ByteBuffer library = ByteBuffer.allocate(64 + 56).order(ByteOrder.LITTLE_ENDIAN);
        library.put(header(CLASS_64, ByteOrder.LITTLE_ENDIAN, 62));
        // The file has one segment, whose header follows the file header.
        library.putLong(32, 64).putShort(54, (short) 56).putShort(56, (short) 1);
        library.putLong(64 + 8, 100).putLong(64 + 32, 20);
        String cutOff = "is cut off: parts of the library are missing";

        assertThat(ElfFile.misfit(file(library.array()), Platform.X86_64)).isEmpty();
        for (int size : new int[] {20, 63, 64, 119}) {
            assertThat(ElfFile.misfit(file(Arrays.copyOf(library.array(), size)), Platform.X86_64))
                    .as("%d bytes", size)
                    .contains(cutOff);
        }
        library.putLong(64 + 32, 21);
        assertThat(ElfFile.misfit(file(library.array()), Platform.X86_64)).contains(cutOff);
        library.putLong(64 + 8, Long.MAX_VALUE);
        assertThat(ElfFile.misfit(file(library.array()), Platform.X86_64)).contains(cutOff);
        library.putLong(32, Long.MIN_VALUE);
        assertThat(ElfFile.misfit(file(library.array()), Platform.X86_64)).contains(cutOff);
    }

    @Test
    void reportsWhatCannotBeRead() {
        assertThat(ElfFile.misfit(folder.resolve("missing"), Platform.X86_64))
                .hasValueSatisfying(
                        reason -> assertThat(reason).startsWith("cannot be read: java.io.FileNotFoundException"));
    }

    @Test
    void opensNothingButRegularFiles() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();

        assertThat(ElfFile.misfit(pipe, Platform.X86_64)).contains("is not a regular file");
        assertThat(ElfFile.misfit(folder, Platform.X86_64)).contains("is not a regular file");
    }

    @Test
    void namesTheArchitectureOfAForeignHelper() throws IOException {
        Platform other = Platform.current().equals(Platform.X86_64) ? Platform.AARCH64 : Platform.X86_64;
        Path file = file(header(CLASS_64, ByteOrder.LITTLE_ENDIAN, other.elfMachine()));

        assertThatThrownBy(() -> BundledLibrary.open(file))
                .isInstanceOf(DocaLibraryException.class)
                .hasMessage("The bundled library.so cannot be used: " + file + " is built for " + other.name()
                        + ", but this JVM runs on " + Platform.current().name() + "; replace the jar of doca-ffi");
    }

    private Path file(byte[] content) throws IOException {
        return Files.write(folder.resolve("library.so"), content);
    }

    private static byte[] header(byte elfClass, ByteOrder order, int machine) {
        return ByteBuffer.allocate(64)
                .put(HexFormat.of().parseHex("7f454c46"))
                .put(elfClass)
                .put((byte) (order == ByteOrder.LITTLE_ENDIAN ? 1 : 2))
                .order(order)
                .putShort(18, (short) machine)
                .array();
    }
}
