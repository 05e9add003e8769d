/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.completion;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.ffi.testing.CCompiler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecorderTest {

    @Test
    void theSanitizersFindNothing(@TempDir Path work) throws IOException {
        String output = CCompiler.runProgram(
                work.resolve("recorder_test"),
                Files.readString(Path.of("src/test/c/recorder_test.c")),
                "-g",
                "-fsanitize=address,undefined",
                "-fno-sanitize-recover=all",
                "-iquote",
                "src/test/c");

        assertThat(output).isEmpty();
    }
}
