/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.filecopy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.docajava.samples.cli.SampleException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFileTest {

    @TempDir
    private Path folder;

    private Path target;

    @BeforeEach
    void nameTarget() {
        target = folder.resolve("target");
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }

    private void assertOnly(Path... files) throws IOException {
        try (Stream<Path> found = Files.list(folder)) {
            assertThat(found).containsExactly(files);
        }
    }

    @Test
    void refusesWhatCannotBecomeAnOutput() throws Exception {
        assertRefused(folder, true, "it exists and is no regular file");
        assertRefused(target.resolve("file"), true, "there is no folder " + target);
        OutputFile.check(target, false);
        Files.createFile(target);
        assertRefused(target, false, "it exists already, and --force replaces it");
        OutputFile.check(target, true);
    }

    private static void assertRefused(Path target, boolean replaces, String reason) {
        assertThatExceptionOfType(SampleException.class)
                .isThrownBy(() -> OutputFile.check(target, replaces))
                .withMessage(target + ": " + reason);
    }

    @Test
    void getsItsNameWhenItIsComplete() throws Exception {
        try (OutputFile file = OutputFile.create(target, false)) {
            file.write(bytes("a"));
            file.write(bytes("bc"));
            assertThat(target).doesNotExist();
            assertThat(Sha256.text(file.digest()))
                    .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
            file.complete();
        }
        assertThat(target).hasContent("abc");
        assertOnly(target);
    }

    @Test
    void leavesNothingWhenItIsNotCompleted() throws Exception {
        try (OutputFile file = OutputFile.create(target, true)) {
            file.write(bytes("abc"));
        }
        assertOnly();
    }

    @Test
    void doesNotReplaceAFileThatCameMeanwhile() throws Exception {
        try (OutputFile file = OutputFile.create(target, false)) {
            Files.writeString(target, "precious");

            assertThatExceptionOfType(FileAlreadyExistsException.class)
                    .isThrownBy(file::complete)
                    .withMessage(target.toString());
        }
        assertThat(target).hasContent("precious");
        assertOnly(target);
    }

    @Test
    void replacesAFileWhenItMay() throws Exception {
        Files.writeString(target, "old");
        try (OutputFile file = OutputFile.create(target, true)) {
            file.write(bytes("new"));
            assertThat(target).hasContent("old");
            file.complete();
        }
        assertThat(target).hasContent("new");
        assertOnly(target);
    }
}
