/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.samples.cli.SampleRunner;
import io.docajava.samples.cli.Tool;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import picocli.CommandLine.Command;

/** Tests a tool that fails. */
@Isolated("it replaces the standard error of the whole process")
class SampleRunnerTest {

    private final PrintStream before = System.err;
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeEach
    void redirect() {
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void restore() {
        System.setErr(before);
    }

    @Test
    void reportsAMistakeInATool() {
        int exitCode = new SampleRunner(Tools.class).run("mistaken");

        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo("tools mistaken: Unexpected failure: java.lang.IllegalStateException: a mistake\n");
        assertThat(exitCode).isEqualTo(1);
    }

    @Test
    void reportsAToolThatCannotBeLinked() {
        int exitCode = new SampleRunner(Tools.class).run("unlinked");

        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo("tools unlinked: Unexpected failure: java.lang.NoClassDefFoundError: missing/Class\n");
        assertThat(exitCode).isEqualTo(1);
    }

    @Command(
            name = "tools",
            subcommands = {Mistaken.class, Unlinked.class})
    static final class Tools {}

    @Command(name = "mistaken")
    static final class Mistaken implements Tool {

        @Override
        public int run() {
            throw new IllegalStateException("a mistake");
        }
    }

    @Command(name = "unlinked")
    static final class Unlinked implements Tool {

        @Override
        public int run() {
            throw new NoClassDefFoundError("missing/Class");
        }
    }
}
