/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests connection details as values and in the file format of NVIDIA's samples. */
class ConnectionDetailsTest {

    private static final byte[] BYTES = {1, 0, -1, 77};

    @TempDir
    private Path folder;

    @Test
    void areTheirBytes() {
        byte[] given = BYTES.clone();
        ConnectionDetails details = ConnectionDetails.of(given);
        given[0] = 9;
        details.bytes()[1] = 9;

        assertThat(details.bytes()).isEqualTo(BYTES);
        assertThat(details)
                .isEqualTo(ConnectionDetails.of(BYTES))
                .hasSameHashCodeAs(ConnectionDetails.of(BYTES))
                .isNotEqualTo(ConnectionDetails.of(new byte[] {1, 0, -1}))
                .hasToString("Connection details of 4 bytes");
    }

    @Test
    void haveALength() {
        assertThat(ConnectionDetails.of(new byte[65536]).bytes()).hasSize(65536);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ConnectionDetails.of(new byte[0]))
                .withMessage("The details of an RDMA connection have 1 to 65536 bytes, and not 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ConnectionDetails.of(new byte[65537]))
                .withMessage("The details of an RDMA connection have 1 to 65536 bytes, and not 65537");
    }

    @Test
    void areAFileOfTheirBytesForTheirOwnerOnly() throws IOException {
        Path file = folder.resolve("details");
        Files.writeString(file, "something old and longer");
        ConnectionDetails.of(BYTES).save(file);

        assertThat(file).hasBinaryContent(BYTES);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(ConnectionDetails.load(file)).isEqualTo(ConnectionDetails.of(BYTES));
        assertThat(folder).isDirectoryContaining(file::equals);
    }

    @Test
    void replaceNothingButAFile() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("target"));

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> ConnectionDetails.of(BYTES).save(link))
                .withMessage(link + ": it is a symbolic link, and only a regular file is replaced");
        assertThat(folder.resolve("target")).doesNotExist();
    }

    @Test
    void sayWhatIsWrongWithAFile() throws IOException {
        Path file = folder.resolve("details");
        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> ConnectionDetails.load(file))
                .withMessage(file + ": there is no such file or folder");
        Files.createFile(file);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> ConnectionDetails.load(file))
                .withMessage(file + ": it is empty, and not a connection descriptor");
        Files.write(file, new byte[65537]);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> ConnectionDetails.load(file))
                .withMessage(file + ": it has more than the 65536 bytes that a connection descriptor has at most");
    }
}
