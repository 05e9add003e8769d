/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.testing.TestJvm;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that the public methods and constructors of all modules refuse null. */
class NullArgumentsTest {

    static final List<String> MODULES = List.of(
            "io.docajava.ffi",
            "io.docajava.emulator",
            "io.docajava.core",
            "io.docajava.dma",
            "io.docajava.rdma",
            "io.docajava.comch",
            "io.docajava.micrometer",
            "io.docajava.junit");

    @Test
    @Timeout(600)
    void areNamedBeforeAnythingElseHappens() throws Exception {
        List<String> command = TestJvm.command();
        command.addAll(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                TestJvm.classPath(System.getProperty("samples.testClasses")),
                NullArguments.class.getName()));
        command.addAll(MODULES);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output.lines()).singleElement().asString().matches("calls: [1-9]\\d{2,}");
    }
}
