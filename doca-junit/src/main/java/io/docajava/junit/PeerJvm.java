/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.junit;

import io.docajava.core.Doca;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.emulator.EmulatorEnvironment;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.PrintStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A second JVM that a test starts, for example as the other side of the PCI bus or of a connection. A test gets one as a
 * parameter, sets it up, and starts in it a main class or a lambda:
 *
 * {@snippet lang="text" :
 * @Test
 * void exports(PeerJvm host) throws Exception {
 *     host.role(DocaEmulator.Role.HOST).start(test -> test.send("hello " + test.receive()));
 *     assertEquals("hello test", host.ask("test"));
 * }
 * }
 *
 * <p>The peer has the class path of the test, and its emulator the settings of the test. They exchange lines: those that the
 * test sends are the standard input of a main class, and its standard output is what the test receives. A lambda has
 * {@link Lines} for that, and what it prints is no line for the test.
 *
 * <p>A peer that still runs when the test ends is killed. A peer that ends by itself with another exit code than 0 fails the test,
 * unless the test waits for the end with {@link #await}. Its output, and what the two have exchanged, is in the report of the test.
 *
 * <p>The methods may be called by any thread, one at a time, but one thread may send while another one receives;
 * {@link #kill} at any time.
 */
public final class PeerJvm implements AutoCloseable {

    /** A program that a peer runs. A lambda, of which all captured values are serializable. */
    @FunctionalInterface
    public interface Program extends Serializable {

        /**
         * Runs in the peer. The peer ends with exit code 1 if this throws an exception.
         *
         * @param test the lines from and to the test
         */
        void run(Lines test) throws Exception;
    }

    /** The lines between a {@link Program} and the test that has started it. For one thread at a time. */
    public static final class Lines {

        private final BufferedReader input;
        private final PrintStream output;

        Lines(InputStream input, PrintStream output) {
            this.input = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8));
            this.output = output;
        }

        /** Waits for the next line of the test, and returns it; null if the test has closed the peer. */
        public @Nullable String receive() throws IOException {
            return input.readLine();
        }

        /** Sends a line to the test. */
        public void send(String line) {
            output.println(line);
            output.flush();
        }
    }

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);
    private static final int MAX_OUTPUT = 1 << 20;

    /** All that were started, until the test ends. */
    private static final Set<PeerJvm> STARTED = ConcurrentHashMap.newKeySet();

    private final Map<String, String> environment = new HashMap<>();
    private final List<String> options = new ArrayList<>();
    private final List<String> leftOut = new ArrayList<>();
    private final BlockingQueue<Optional<String>> received = new LinkedBlockingQueue<>();
    /** Guarded by itself. */
    private final StringBuilder output = new StringBuilder();

    private Duration timeout = DEFAULT_TIMEOUT;
    private @Nullable ProgressEngine woken;
    private @Nullable String name;
    private @Nullable Process process;
    private @Nullable BufferedWriter input;
    private final List<Thread> readers = new ArrayList<>();
    private boolean closed;
    private volatile boolean endIsExpected;

    private PeerJvm() {}

    /** Returns one that is not started, for code that gets no parameters of JUnit. */
    public static PeerJvm create() {
        return new PeerJvm();
    }

    /** Returns those that were started by tests that have not ended. */
    static Set<PeerJvm> started() {
        return Set.copyOf(STARTED);
    }

    /** Puts the peer on a side of the PCI bus; on that of the test if not set. */
    public PeerJvm role(DocaEmulator.Role role) {
        return role == DocaEmulator.Role.DEFAULT ? this : environment(EmulatorEnvironment.ROLE, Settings.name(role));
    }

    /** Sets an environment variable of the peer, which otherwise has those of the test. */
    public PeerJvm environment(String variable, String value) {
        environment.put(Objects.requireNonNull(variable, "variable"), Objects.requireNonNull(value, "value"));
        return this;
    }

    /** Adds options of the JVM, such as {@code -Xmx1g}. */
    public PeerJvm options(String... more) {
        options.addAll(List.of(more));
        return this;
    }

    /**
     * Leaves out the entries of the class path whose file name begins with a text. For a logging library that would write to the
     * standard output of a main class.
     */
    public PeerJvm without(String library) {
        leftOut.add(Objects.requireNonNull(library, "library"));
        return this;
    }

    /**
     * Sets how long the test waits for a line, and for the end in {@link #await} and {@link #close}; 60 s if not set.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public PeerJvm timeout(Duration newTimeout) {
        if (newTimeout.isNegative() || newTimeout.isZero()) {
            throw new IllegalArgumentException("The timeout must be positive: " + newTimeout);
        }
        timeout = newTimeout;
        return this;
    }

    /**
     * Starts the peer with a main class.
     *
     * @throws IllegalStateException if it was started before
     * @throws UncheckedIOException if the system has no process for it
     */
    public PeerJvm start(Class<?> main, String... arguments) {
        return start(main.getSimpleName(), main, main.getName(), arguments);
    }

    /**
     * Starts the peer with a program. The class that contains the lambda is initialized in the peer.
     *
     * @throws IllegalArgumentException if the lambda captures a value that is not serializable, such as the test
     * @throws IllegalStateException if it was started before
     * @throws UncheckedIOException if the system has no process for it
     */
    public PeerJvm start(Program program) {
        Class<?> home = program.getClass().getNestHost();
        return start(
                "of " + home.getSimpleName(),
                home,
                PeerMain.class.getName(),
                Base64.getEncoder().encodeToString(serialize(program)));
    }

    private static byte[] serialize(Program program) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream objects = new ObjectOutputStream(bytes)) {
            objects.writeObject(program);
        } catch (NotSerializableException e) {
            throw new IllegalArgumentException(
                    "The program captures an object of " + e.getMessage()
                            + ", which is not serializable. Let it use local variables only, whose values are",
                    e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private PeerJvm start(String newName, Class<?> home, String main, String... arguments) {
        if (process != null) {
            throw new IllegalStateException(this + " was started before");
        }
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Dslf4j.internal.verbosity=ERROR"));
        command.add("-Ddoca.backend=" + Doca.backend().name().toLowerCase(Locale.ROOT));
        Optional.ofNullable(System.getProperty("doca.library.path"))
                .ifPresent(path -> command.add("-Ddoca.library.path=" + path));
        command.addAll(options);
        command.addAll(List.of("-cp", classPath(home), main));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        Settings.current().addTo(builder.environment());
        builder.environment().putAll(environment);
        Process started;
        try {
            started = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        process = started;
        name = newName;
        input = started.outputWriter(StandardCharsets.UTF_8);
        STARTED.add(this);
        readers.add(read("output", started.getInputStream(), line -> {
            received.add(Optional.of(line));
            wake();
        }));
        readers.add(read("errors", started.getErrorStream(), line -> {}));
        return this;
    }

    private interface LineConsumer {
        void accept(String line);
    }

    private Thread read(String what, InputStream stream, LineConsumer consumer) {
        return Thread.ofPlatform().daemon().name(this + ", " + what).start(() -> {
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    record(line);
                    consumer.accept(line);
                }
            } catch (IOException killed) {
                record("(" + killed.getMessage() + ")");
            }
            if (what.equals("output")) {
                received.add(Optional.empty());
                wake();
            }
        });
    }

    private void record(String line) {
        synchronized (output) {
            output.append(line).append(System.lineSeparator());
            if (output.length() > MAX_OUTPUT) {
                output.delete(0, MAX_OUTPUT / 2);
            }
        }
    }

    private synchronized void wake() {
        if (woken != null) {
            woken.wakeUp();
        }
    }

    private synchronized void setWoken(@Nullable ProgressEngine engine) {
        woken = engine;
    }

    /**
     * Sends a line to the peer.
     *
     * @throws AssertionError if the peer has ended
     */
    public void send(String line) {
        BufferedWriter writer = Objects.requireNonNull(started(input));
        try {
            writer.write(line);
            writer.newLine();
            writer.flush();
        } catch (IOException e) {
            throw new AssertionError(ended("before it read \"" + line + "\""), e);
        }
    }

    /**
     * Waits for the next line of the peer, and returns it.
     *
     * @throws AssertionError if the peer ends instead, or sends none within the timeout
     */
    public String receive() throws InterruptedException {
        started(process);
        return line(received.poll(timeout.toNanos(), TimeUnit.NANOSECONDS));
    }

    /**
     * Progresses an engine until the next line of the peer is here, and returns that.
     *
     * @throws AssertionError if the peer ends instead, or sends none within the timeout
     */
    public String receive(ProgressEngine engine) throws InterruptedException {
        started(process);
        setWoken(engine);
        try {
            engine.await(() -> !received.isEmpty(), timeout);
        } finally {
            setWoken(null);
        }
        return line(received.poll());
    }

    @SuppressWarnings("NullableOptional") // null is no line in time, and empty the end of all lines
    private String line(@Nullable Optional<String> next) {
        if (next == null) {
            throw new AssertionError(this + " has sent no line within " + timeout + withOutput());
        }
        if (next.isEmpty()) {
            received.add(next);
            throw new AssertionError(ended("instead of sending a line"));
        }
        return next.get();
    }

    /**
     * Sends a line, and returns the next line of the peer.
     *
     * @throws AssertionError if the peer ends instead, or sends none within the timeout
     */
    public String ask(String line) throws InterruptedException {
        send(line);
        return receive();
    }

    /** Returns all that the peer has written to its standard output and standard error, up to the last 512 KiB at least. */
    public String output() {
        synchronized (output) {
            return output.toString();
        }
    }

    /** Returns the process. */
    public ProcessHandle process() {
        return started(process).toHandle();
    }

    /**
     * Waits until the peer ends, and returns its exit code. It fails no test then, whatever it is.
     *
     * @throws AssertionError if the peer does not end within the timeout
     */
    public int await() throws InterruptedException {
        Process peer = started(process);
        endIsExpected = true;
        if (!peer.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new AssertionError(this + " has not ended within " + timeout + withOutput());
        }
        awaitOutput();
        return peer.exitValue();
    }

    /** Sends SIGSTOP, and waits until none of the threads of the peer runs. */
    public void suspend() {
        signal("STOP");
        Path threads = Path.of("/proc", Long.toString(started(process).pid()), "task");
        while (!isEachStopped(threads)) {
            Thread.onSpinWait();
        }
    }

    private static boolean isEachStopped(Path threads) {
        try (Stream<Path> all = Files.list(threads)) {
            return all.allMatch(PeerJvm::isStopped);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isStopped(Path thread) {
        try {
            return Files.readString(thread.resolve("status")).contains("\nState:\tT");
        } catch (IOException threadHasEnded) {
            return false;
        }
    }

    /** Sends SIGCONT: a suspended peer goes on. */
    public void resume() {
        signal("CONT");
    }

    private void signal(String signal) {
        try {
            int exitCode = new ProcessBuilder(
                            "kill", "-" + signal, Long.toString(started(process).pid()))
                    .start()
                    .onExit()
                    .join()
                    .exitValue();
            if (exitCode != 0) {
                throw new AssertionError(this + " cannot get SIG" + signal + withOutput());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends SIGKILL, and waits until the process is gone. Does nothing if it has ended. */
    public void kill() {
        Process peer = started(process);
        if (peer.isAlive()) {
            endIsExpected = true;
        }
        peer.destroyForcibly().onExit().join();
        awaitOutput();
    }

    /**
     * Ends the input of the peer, and waits until it ends by itself. A peer that was not started, or has ended, is closed at
     * once.
     *
     * @throws AssertionError if it does not end within the timeout, after which it is killed; or if it has ended with another
     *     exit code than 0, and was not killed
     */
    @Override
    public void close() {
        Process peer = process;
        if (peer == null || closed) {
            return;
        }
        closed = true;
        try {
            Objects.requireNonNull(input).close();
        } catch (IOException hasEnded) {
            record("(" + hasEnded.getMessage() + ")");
        }
        boolean ended;
        try {
            ended = peer.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            ended = false;
        }
        if (!ended) {
            kill();
            throw new AssertionError(this + " has not ended within " + timeout + withOutput());
        }
        awaitOutput();
        checkExitCode();
    }

    /** Kills the peer if it runs, at the end of a test. */
    void end() {
        STARTED.remove(this);
        if (!closed) {
            closed = true;
            kill();
            checkExitCode();
        }
    }

    private void checkExitCode() {
        if (!endIsExpected && started(process).exitValue() != 0) {
            throw new AssertionError(ended(""));
        }
    }

    /** What was written last may come after the end of the process. */
    private void awaitOutput() {
        for (Thread reader : readers) {
            try {
                reader.join(timeout);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private String ended(String circumstance) {
        Process peer = started(process);
        peer.onExit()
                .orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
                .handle((gone, late) -> gone)
                .join();
        awaitOutput();
        endIsExpected = true;
        return this + " has ended" + (peer.isAlive() ? " its output" : " with exit code " + peer.exitValue())
                + (circumstance.isEmpty() ? "" : " " + circumstance) + withOutput();
    }

    private String withOutput() {
        String text = output();
        return text.isEmpty() ? ", and printed nothing" : "; it printed:" + System.lineSeparator() + text;
    }

    private <T> T started(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException(this + " was not started");
        }
        return part;
    }

    /** The class path and the module path of this JVM, and the classes that are a patch to a module, as tests are. */
    private String classPath(Class<?> home) {
        return Stream.of(
                        ClassRoots.of(home).toString(),
                        ClassRoots.of(PeerJvm.class).toString(),
                        System.getProperty("jdk.module.path", ""),
                        System.getProperty("java.class.path", ""))
                .flatMap(paths -> Arrays.stream(paths.split(File.pathSeparator, -1)))
                .filter(path -> leftOut.stream()
                        .noneMatch(library -> path.startsWith(library, path.lastIndexOf(File.separatorChar) + 1)))
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Returns the main class, or the class whose lambda it runs. */
    @Override
    public String toString() {
        return "PeerJvm" + (name == null ? "" : " " + name);
    }
}
