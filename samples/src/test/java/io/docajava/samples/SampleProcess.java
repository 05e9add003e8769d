/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.emulator.EmulatorEnvironment;
import io.docajava.testing.Await;
import io.docajava.testing.TestJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Runs the launcher in a separate process, as {@code scripts/sample} does, and collects its output and exit code. */
final class SampleProcess {

    /** The prefix of the SDK's records, which have no source location. */
    private static final Pattern OF_SDK = Pattern.compile("]\\[DOCA]\\[[A-Z]{3}] ");

    /** Matches a log line as DOCA writes it. */
    private static final Pattern LOG_LINE = Pattern.compile("\\[\\d\\d:\\d\\d:\\d\\d:\\d{6}]\\[(?<pid>\\d+)]\\[DOCA]"
            + "\\[(?<level>INF|WRN|ERR|DBG|TRC)](\\[[^]]+:\\d+]\\[[^]]+])? (?<text>.*)");

    static final String GRANT = "--enable-native-access=io.docajava.ffi";

    private final List<String> jvmFlags = new ArrayList<>(List.of(GRANT));
    private final List<String> wrapper = new ArrayList<>();
    private final Map<String, String> environment = new HashMap<>(Map.of("LC_ALL", "C.UTF-8"));

    private SampleProcess() {}

    /** Uses the emulator with its default topology, whatever the environment of the tests is. */
    static SampleProcess onEmulator() {
        return new SampleProcess().with("DOCA_BACKEND", "emulator");
    }

    /** Uses the emulator as a program on the host does. */
    static SampleProcess onHost() {
        return onEmulator().with(EmulatorEnvironment.ROLE, "host");
    }

    /** Uses the emulator's libraries of a release. */
    static SampleProcess onRelease(String release) {
        return release.equals(CProgram.NEWEST) ? onEmulator() : onEmulator().with(EmulatorEnvironment.RELEASE, release);
    }

    /** Uses the libraries that the launcher finds by itself. */
    static SampleProcess onWhatIsFound() {
        return new SampleProcess();
    }

    SampleProcess with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    SampleProcess withJvmFlags(String... flags) {
        jvmFlags.addAll(List.of(flags));
        return this;
    }

    SampleProcess withoutNativeAccess() {
        jvmFlags.remove(GRANT);
        jvmFlags.add("--illegal-native-access=deny");
        return this;
    }

    Result run(String... arguments) throws IOException, InterruptedException {
        return run(Launcher.class, arguments);
    }

    /**
     * Runs the launcher in a process in which other tests have run samples or will do so. That is much faster, for tests that do
     * not examine the process.
     */
    Result runShared(String... arguments) throws IOException, InterruptedException {
        try (SharedRun run = beginShared(arguments)) {
            return run.end();
        }
    }

    /** Starts the launcher in such a process. */
    SharedRun beginShared(String... arguments) throws IOException, InterruptedException {
        return takeShared().begin(EmulatorSettings.of(environment), arguments);
    }

    /** Starts the launcher in such a process. */
    SharedRun beginShared(List<String> arguments) throws IOException, InterruptedException {
        return beginShared(arguments.toArray(String[]::new));
    }

    /** Takes such a process for one run. */
    SharedJvm takeShared() throws IOException, InterruptedException {
        return SharedJvm.take(prepare(command(SampleLoop.class), EmulatorSettings.others(environment)));
    }

    /** Runs samples one after the other and prints the handles that were created for them. */
    Result runLinking(String... samples) throws IOException, InterruptedException {
        return run(LinkedHandles.class, samples);
    }

    /** Starts the launcher and returns its running process. */
    RunningProgram start(String... arguments) throws IOException {
        return RunningProgram.start(builder(Launcher.class, arguments));
    }

    /** Starts a program of these tests, as a part of the module of the samples. */
    RunningProgram start(Class<?> program) throws IOException {
        return RunningProgram.start(builder(program));
    }

    /** Limits the size of files that the process writes, in bytes; a multiple of 512. */
    SampleProcess withFileSizeLimit(long bytes) {
        wrapper.addAll(List.of("sh", "-c", "ulimit -f " + bytes / 512 + "; exec \"$@\"", "sh"));
        return this;
    }

    private Result run(Class<?> program, String... arguments) throws IOException, InterruptedException {
        Path out = Files.createTempFile("sample", ".out");
        Path err = Files.createTempFile("sample", ".err");
        try {
            Process process = builder(program, arguments)
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            if (!process.waitFor(Await.LIMIT_S, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
                throw new AssertionError("The sample did not end. It printed:\n" + Files.readString(out, UTF_8)
                        + Files.readString(err, UTF_8));
            }
            return new Result(
                    process.exitValue(), process.pid(), Files.readAllLines(out, UTF_8), Files.readAllLines(err, UTF_8));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    private ProcessBuilder builder(Class<?> program, String... arguments) {
        return prepare(command(program, arguments), environment);
    }

    private List<String> command(Class<?> program, String... arguments) {
        List<String> flags = new ArrayList<>(jvmFlags);
        if (program.equals(Launcher.class)) {
            flags.addAll(ClassArchive.options());
        } else {
            String module = Launcher.class.getPackageName();
            flags.addAll(List.of("--patch-module", module + "=" + System.getProperty("samples.testClasses")));
            flags.addAll(List.of("--add-exports", "io.docajava.ffi/io.docajava.ffi.log=" + module));
        }
        List<String> command = new ArrayList<>(wrapper);
        command.addAll(command(flags, program, arguments));
        return command;
    }

    /** Returns the command that runs a program of the module of the samples. */
    static List<String> command(List<String> jvmFlags, Class<?> program, String... arguments) {
        List<String> command = TestJvm.command();
        command.addAll(jvmFlags);
        command.addAll(List.of("--module-path", System.getProperty("samples.modulePath")));
        command.addAll(List.of("--module", "io.docajava.samples/" + program.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Prepares a process that does not inherit the environment of the tests. */
    static ProcessBuilder prepare(List<String> command, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(name -> name.startsWith("DOCA_") || name.endsWith("JAVA_OPTIONS"));
        builder.environment().putAll(environment);
        return builder;
    }

    /** The result of a process, with the lines of both streams. */
    record Result(int exitCode, long pid, List<String> out, List<String> err) {

        /** Returns the log lines of standard output as {@code "INF text"}, and checks that all lines are log lines. */
        List<String> outLog() {
            return out.stream().map(this::logLine).toList();
        }

        /**
         * Returns the log lines of standard error in the same format. The records of the SDK come first: a separate thread writes
         * them, so their place among the others is random.
         */
        List<String> errLog() {
            return Stream.concat(
                            err.stream().filter(Result::isOfSdk), err.stream().filter(line -> !isOfSdk(line)))
                    .map(this::logLine)
                    .toList();
        }

        private static boolean isOfSdk(String line) {
            return OF_SDK.matcher(line).find();
        }

        private String logLine(String line) {
            Matcher matcher = LOG_LINE.matcher(line);
            assertThat(matcher.matches()).as(line).isTrue();
            assertThat(matcher.group("pid")).isEqualTo(Long.toString(pid));
            return matcher.group("level") + " " + matcher.group("text");
        }
    }
}
