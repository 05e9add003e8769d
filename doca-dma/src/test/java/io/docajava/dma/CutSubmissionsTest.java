/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.testing.NeedsEmulator;
import io.docajava.testing.TestJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that a stack overflow in any call of a submission neither loses nor doubles a task, a count or a handler. */
@NeedsEmulator
class CutSubmissionsTest {

    @Test
    void anyCallCanOverflow() throws Exception {
        String tests = Path.of(System.getProperty("basedir", "."), "target", "test-classes")
                .toString();
        List<String> command = TestJvm.command();
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Ddoca.backend=emulator"));
        command.addAll(List.of("-cp", TestJvm.classPath(tests), CutSubmissions.class.getName()));
        Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
        assertThat(TestJvm.outputOf(child)).containsPattern("overflows: \\d{4}");
    }
}
