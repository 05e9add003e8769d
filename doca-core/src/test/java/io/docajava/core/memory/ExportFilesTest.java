/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests exports in one file, and in the two files of NVIDIA's samples. */
class ExportFilesTest {

    private static final MmapExport EXPORT =
            MmapExport.of(new byte[] {1, 2, 3}, 0x7f00_0000_1000L, 4096, Access.PCI_READ_ONLY);

    @TempDir
    Path folder;

    private Path file;
    private Path info;

    @BeforeEach
    void name() {
        file = folder.resolve("export");
        info = folder.resolve("info");
    }

    @Test
    void isOneFile() throws IOException {
        EXPORT.save(file);

        assertThat(file).hasBinaryContent(EXPORT.toBytes());
        assertPrivate(file);
        assertThat(MmapExport.load(file)).isEqualTo(EXPORT);
        assertThat(folder).isDirectoryNotContaining(path -> !path.equals(file));
    }

    @Test
    void replacesAFile() throws IOException {
        Files.write(file, new byte[100_000]);

        EXPORT.save(file);

        assertThat(MmapExport.load(file)).isEqualTo(EXPORT);
        assertPrivate(file);
    }

    @Test
    void isTwoFilesAsProgramsInCHaveThem() throws IOException {
        EXPORT.save(file, info);

        assertThat(file).hasBinaryContent(new byte[] {1, 2, 3});
        assertThat(info).hasContent("139637976731648\n4096");
        assertThat(Files.size(info)).isEqualTo(20);
        assertPrivate(file);
        assertPrivate(info);
        assertThat(MmapExport.load(file, info)).isEqualTo(MmapExport.of(new byte[] {1, 2, 3}, 0x7f00_0000_1000L, 4096));
    }

    @Test
    void isADescriptorAlone() throws IOException {
        Files.write(file, new byte[100]);
        EXPORT.saveDescriptor(file);

        assertThat(file).hasBinaryContent(EXPORT.descriptor());
        assertPrivate(file);
        assertThat(MmapExport.loadDescriptor(file)).isEqualTo(EXPORT.descriptor());
        Files.write(file, new byte[0]);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> MmapExport.loadDescriptor(file))
                .withMessage(file + ": it is empty, and not a descriptor");
        Files.write(file, new byte[65537]);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> MmapExport.loadDescriptor(file))
                .withMessage(file + ": it has more than the 65536 bytes that a descriptor has at most");
    }

    @Test
    void writesAddressesUnsigned() throws IOException {
        MmapExport high = MmapExport.of(new byte[600], -4096, 16);

        high.save(file, info);

        assertThat(info).hasContent("18446744073709547520\n16");
        assertThat(MmapExport.load(file, info)).isEqualTo(high);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "65536\n255",
                "65536\n255\n",
                "65536\r\n255\r\n\r\n",
                " \t65536 \n  255",
                "0x10000\n0xFF",
                "0X10000\n0xff",
                "0200000\n0377",
                "+65536\n+255",
                "00200000\n255\n \n"
            })
    void readsNumbersAsProgramsInCDo(String text) throws IOException {
        Files.write(file, new byte[] {1});
        Files.writeString(info, text);

        MmapExport export = MmapExport.load(file, info);

        assertThat(export.address()).isEqualTo(65536);
        assertThat(export.length()).isEqualTo(255);
        assertThat(export.access()).isEmpty();
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                new Arguments("", "it has 0 lines, and not two with the address and the length"),
                new Arguments("65536", "it has 1 line, and not two with the address and the length"),
                new Arguments("1\n2\n3", "it has more than two lines"),
                new Arguments("\n255", "the address is \"\", and not a number of 64 bits"),
                new Arguments("abc\n255", "the address is \"abc\", and not a number of 64 bits"),
                new Arguments("-1\n255", "the address is \"-1\", and not a number of 64 bits"),
                new Arguments("1 2\n255", "the address is \"1 2\", and not a number of 64 bits"),
                new Arguments(
                        "\u001b]0;x\u0007\u00e9\n255",
                        "the address is \"\\x1b]0;x\\x07\\xc3\\xa9\", and not a number of 64 bits"),
                new Arguments(
                        "9".repeat(49) + "\n255",
                        "the address is \"" + "9".repeat(48) + "...\", and not a number of 64 bits"),
                new Arguments("65536\n0x", "the length is \"0x\", and not a number of 64 bits"),
                new Arguments("65536\n08", "the length is \"08\", and not a number of 64 bits"),
                new Arguments("65536\n+-1", "the length is \"+-1\", and not a number of 64 bits"),
                new Arguments(
                        "18446744073709551616\n1",
                        "the address is \"18446744073709551616\", and not a number of 64 bits"),
                new Arguments("65536\n0", "The memory of an export has 1 to 9223372036854775807 bytes, and not 0"),
                new Arguments(
                        "65536\n9223372036854775808",
                        "The memory of an export has 1 to 9223372036854775807 bytes, and not 9223372036854775808"),
                new Arguments(
                        "0xffffffffffffffff\n1",
                        "The memory of an export ends within 64 bits of address, and not so 1 bytes at 0xffffffffffffffff"),
                new Arguments("1".repeat(1025), "it has more than the 1024 bytes that buffer information has at most"));
    }

    record Arguments(String text, String message) {}

    @ParameterizedTest
    @MethodSource("mistakes")
    void saysWhatIsWrongWithTheNumbers(Arguments mistake) throws IOException {
        Files.write(file, new byte[] {1});
        Files.writeString(info, mistake.text());

        assertThatIOException()
                .isThrownBy(() -> MmapExport.load(file, info))
                .withMessage(info + ": " + mistake.message());
    }

    @Test
    void saysWhatIsWrongWithTheDescriptor() throws IOException {
        Files.writeString(info, "1\n1");
        Files.write(file, new byte[0]);
        assertThatIOException()
                .isThrownBy(() -> MmapExport.load(file, info))
                .withMessage(file + ": it is empty, and not a descriptor");

        Files.write(file, new byte[65537]);
        assertThatIOException()
                .isThrownBy(() -> MmapExport.load(file, info))
                .withMessage(file + ": it has more than the 65536 bytes that a descriptor has at most");

        Files.write(file, new byte[65536]);
        assertThat(MmapExport.load(file, info).descriptor()).hasSize(65536);
    }

    @Test
    void namesTheFileThatIsNoExport() throws IOException {
        Files.writeString(file, "some text");
        assertThatIOException()
                .isThrownBy(() -> MmapExport.load(file))
                .withMessage(
                        file
                                + ": Not an export of an Mmap: it begins with other bytes; pass a bare descriptor to Mmap.fromDescriptor")
                .withCauseInstanceOf(IllegalArgumentException.class);

        Files.write(file, new byte[65573]);
        assertThatIOException()
                .isThrownBy(() -> MmapExport.load(file))
                .withMessage(file + ": it has more than the 65572 bytes that an export of an Mmap has at most");
    }

    @Test
    void namesTheFileThatIsNotThere() throws IOException {
        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> MmapExport.load(file))
                .withMessage(file + ": there is no such file or folder");
        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> MmapExport.load(file, info))
                .withMessage(info + ": there is no such file or folder");
        Files.writeString(info, "1\n1");
        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> MmapExport.load(file, info))
                .withMessage(file + ": there is no such file or folder");
    }

    @Test
    void namesTheFolderThatIsNoFile() throws IOException {
        Files.createDirectory(file);

        assertThatIOException().isThrownBy(() -> MmapExport.load(file)).withMessage(file + ": Is a directory");
        Files.writeString(info, "1\n1");
        assertThatIOException().isThrownBy(() -> MmapExport.load(file, info)).withMessage(file + ": Is a directory");
    }

    @Test
    void replacesNoFolder() throws IOException {
        Files.createDirectory(file);
        Files.writeString(info, "old");

        String message = ": it is a folder, and only a regular file is replaced";
        assertThatIOException().isThrownBy(() -> EXPORT.save(file)).withMessage(file + message);
        assertThatIOException().isThrownBy(() -> EXPORT.save(file, info)).withMessage(file + message);
        assertThatIOException().isThrownBy(() -> EXPORT.save(info, file)).withMessage(file + message);
        assertThatIOException().isThrownBy(() -> EXPORT.save(Path.of("/"))).withMessage("/" + message);

        assertThat(file).isEmptyDirectory();
        assertThat(info).hasContent("old");
        assertThat(folder).isDirectoryNotContaining(path -> !path.equals(file) && !path.equals(info));
    }

    @Test
    void replacesNoSymbolicLink() throws IOException {
        Path target = Files.writeString(folder.resolve("target"), "old");
        Files.createSymbolicLink(file, target);

        assertThatIOException()
                .isThrownBy(() -> EXPORT.save(file))
                .withMessage(file + ": it is a symbolic link, and only a regular file is replaced");

        assertThat(file).isSymbolicLink();
        assertThat(target).hasContent("old");
    }

    /** Uses a socket as the special file, as losing it costs less than losing a device. */
    @Test
    void replacesNoSocket() throws IOException {
        try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            socket.bind(UnixDomainSocketAddress.of(file));

            String message = file + ": it is special, and only a regular file is replaced";
            assertThatIOException().isThrownBy(() -> EXPORT.save(file)).withMessage(message);
            assertThatIOException().isThrownBy(() -> EXPORT.save(file, info)).withMessage(message);
            assertThatIOException().isThrownBy(() -> EXPORT.save(info, file)).withMessage(message);

            assertThat(Files.readAttributes(file, BasicFileAttributes.class).isOther())
                    .isTrue();
            assertThat(info).doesNotExist();
        }
    }

    @Test
    void namesTheFileThatItCannotWrite() throws IOException {
        Path lost = folder.resolve("missing").resolve("export");
        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> EXPORT.save(lost))
                .withMessage(lost + ": there is no folder " + lost.getParent());
        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> EXPORT.save(file, lost))
                .withMessage(lost + ": there is no folder " + lost.getParent());

        Files.writeString(info, "no folder");
        Path inFile = info.resolve("export");
        assertThatIOException().isThrownBy(() -> EXPORT.save(inFile)).withMessage(inFile + ": Not a directory");
        // Even root can create nothing there.
        Path inProc = Path.of("/proc/self/export");
        assertThatIOException().isThrownBy(() -> EXPORT.save(inProc)).withMessageStartingWith(inProc + ": ");
    }

    @Test
    void needsAFileForEachPart() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder);
        for (Path same : List.of(
                folder.resolve(".").resolve("export"),
                link.resolve("export"),
                link.resolve("..").resolve(folder.getFileName()).resolve("export"))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> EXPORT.save(file, same))
                    .withMessage("The descriptor and the buffer information need a file each: " + file);
        }
    }

    /** One thread writes matching pairs of a descriptor and a range. No pair that is read mixes two of them. */
    @Test
    void isNeverReadInParts() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        Thread writer = new Thread(() -> {
            for (int i = 1; i <= 300; i++) {
                save(i);
            }
            done.set(true);
        });
        writer.start();
        int read = 0;
        while (!done.get() || read == 0) {
            try {
                MmapExport export = MmapExport.load(file, info);
                int number = (int) export.length();
                assertThat(export.address()).isEqualTo(number * 4096L);
                assertThat(export.descriptor()).isEqualTo(descriptor(number));
                read++;
            } catch (NoSuchFileException e) {
                assertThat(e.getFile()).isIn(info.toString(), file.toString());
            } catch (IOException e) {
                assertThat(e).hasMessage(info + ": it was written while it was read; read both files again");
            }
        }
        writer.join();
    }

    private void save(int number) {
        try {
            MmapExport.of(descriptor(number), number * 4096L, number).save(file, info);
        } catch (IOException e) {
            throw new AssertionError("Cannot write", e);
        }
    }

    private static byte[] descriptor(int number) {
        byte[] descriptor = new byte[number];
        Arrays.fill(descriptor, (byte) number);
        return descriptor;
    }

    private static void assertPrivate(Path path) throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rw-------");
    }
}
