/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.ffi.testing.CCompiler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the native part of doca-ffi by itself. */
class HelperLibraryTest {

    @ParameterizedTest
    @CsvSource({
        "recorder_test, 'address,undefined'",
        "commands_test, 'address,undefined'",
        "log_test, 'address,undefined'",
        "log_test, thread"
    })
    void theSanitizersFindNothing(String program, String sanitizers, @TempDir Path work) throws IOException {
        String output = CCompiler.runProgram(
                work.resolve(program),
                Files.readString(Path.of("src/test/c/" + program + ".c")),
                "-g",
                "-fsanitize=" + sanitizers,
                "-fno-sanitize-recover=all",
                "-pthread",
                "-iquote",
                "src/test/c");

        assertThat(output).isEmpty();
    }
}
