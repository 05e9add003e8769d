/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.samples.SampleProcess.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the samples accept every command line that the README and the pages below {@code docs} print. */
class GuideCommandLinesTest {

    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** A call of the script, with the flags of the script itself in front of the sample's name. */
    private static final Pattern CALL = Pattern.compile("scripts/sample(?: --jfr \\S+)? ([a-z]\\w+[^`\n]*)");

    private static final Pattern ARGUMENT = Pattern.compile("\"([^\"]*)\"|(\\S+)");

    static List<String> commandLines() throws IOException {
        TreeSet<String> lines = new TreeSet<>();
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            for (Path page : Stream.concat(Stream.of(ROOT.resolve("README.md")), docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .toList()) {
                Matcher call = CALL.matcher(Files.readString(page));
                while (call.find()) {
                    lines.add(call.group(1).strip());
                }
            }
        }
        assertThat(lines).hasSizeGreaterThan(10).contains("dma_local_copy -p 03:00.0 -t \"some text\"");
        return List.copyOf(lines);
    }

    /** Returns the arguments of a command line, without its quotes. */
    static List<String> arguments(String line) {
        List<String> arguments = new ArrayList<>();
        Matcher argument = ARGUMENT.matcher(line);
        while (argument.find()) {
            arguments.add(argument.group(1) == null ? argument.group(2) : argument.group(1));
        }
        return arguments;
    }

    /** With {@code --help} in addition, a sample checks its flags and does nothing. {@link GuideSessionsTest} runs the samples. */
    @ParameterizedTest
    @MethodSource("commandLines")
    void isAccepted(String line) throws Exception {
        List<String> arguments = arguments(line);
        arguments.add("--help");

        Result result = SampleProcess.onEmulator().runShared(arguments.toArray(String[]::new));

        assertThat(result.err()).isEmpty();
        assertThat(result.out()).first().asString().contains(arguments.getFirst());
        assertThat(result.exitCode()).isZero();
    }
}
