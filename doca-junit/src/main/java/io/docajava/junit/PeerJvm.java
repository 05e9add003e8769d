/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.junit;

import io.docajava.core.Doca;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.emulator.EmulatorEnvironment;
import io.docajava.ffi.argument.Elements;
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
import java.nio.file.NoSuchFileException;
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
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A second JVM that a test starts, for example as the other side of the PCI bus or of a connection. A test has it as a parameter,
 * configures it, and starts a main class or a lambda in it:
 *
 * {@snippet :
 * @Test
 * void exports(PeerJvm host) throws Exception {
 *     host.role(DocaEmulator.Role.HOST).start(test -> test.send("hello " + test.receive()));
 *     assertEquals("hello test", host.ask("test"));
 * }
 * }
 *
 * <p>The peer has the class path of the test, and its emulator has the settings of the test. Test and peer exchange lines of text.
 * A main class reads the lines of the test from its standard input, and the test receives the lines of its standard output. A
 * lambda exchanges lines by {@link Lines}; the test does not receive what the lambda prints.
 *
 * <p>A peer that still runs when the test ends is killed. A peer that ends by itself with an exit code other than 0 fails the test,
 * unless the test waits for the end with {@link #await}. The test report has the peer's output.
 *
 * <p>Any thread may call the methods, but only one thread at a time. As exceptions, one thread may send while another one receives
 * or closes, and {@link #kill} may be called at any time.
 */
public final class PeerJvm implements AutoCloseable {

    /** A program that a peer runs, written as a lambda. All values that the lambda captures must be serializable. */
    @FunctionalInterface
    public interface Program extends Serializable {

        /**
         * Runs in the peer's main thread. The peer ends when this returns and all other non-daemon threads have ended.
         *
         * @param test the lines from and to the test
         * @throws Exception to end the peer with exit code 1
         */
        void run(Lines test) throws Exception;
    }

    /** The lines between a {@link Program} and the test that has started it. Used by one thread at a time. */
    public static final class Lines {

        private final BufferedReader input;
        private final PrintStream output;

        Lines(InputStream input, PrintStream output) {
            this.input = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8));
            this.output = output;
        }

        /**
         * Waits for the next line of the test, however long that takes.
         *
         * @return the line; null if the test has closed the peer, or has ended
         * @throws IOException if the standard input cannot be read
         */
        public @Nullable String receive() throws IOException {
            return input.readLine();
        }

        /**
         * Sends a line to the test, without waiting for the test to receive it.
         *
         * @param line without line breaks
         * @throws IllegalArgumentException if {@code line} has a line break
         */
        public void send(String line) {
            checkLine(line);
            output.println(line);
            output.flush();
        }
    }

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration MAX_TIMEOUT = Duration.ofNanos(Long.MAX_VALUE);
    private static final int MAX_OUTPUT = 1 << 20;

    /** The longest argument of a program on Linux is 128 KiB, and Base64 needs a third more. */
    private static final int MAX_PROGRAM = 96_000;

    /** All started peers of tests that have not ended. */
    private static final Set<PeerJvm> STARTED = ConcurrentHashMap.newKeySet();

    private final Map<String, String> environment = new HashMap<>();
    private final List<String> options = new ArrayList<>();
    private final List<String> leftOut = new ArrayList<>();
    private final BlockingQueue<Optional<String>> received = new LinkedBlockingQueue<>();
    /** The output of the peer; guarded by itself. */
    private final StringBuilder output = new StringBuilder();

    private Duration timeout = DEFAULT_TIMEOUT;
    private @Nullable ProgressEngine woken;
    private @Nullable String name;
    private @Nullable Process process;
    private @Nullable BufferedWriter input;
    /** Held while {@link #input} is used, which may block until the peer reads or ends. */
    private final ReentrantLock sending = new ReentrantLock();

    private final List<Thread> readers = new ArrayList<>();
    private boolean closed;
    private volatile boolean endIsExpected;

    private PeerJvm() {}

    /** {@return a peer that is not started, for code that has no JUnit parameters; the caller closes it} */
    public static PeerJvm create() {
        return new PeerJvm();
    }

    /** Returns all started peers of tests that have not ended. */
    static Set<PeerJvm> started() {
        return Set.copyOf(STARTED);
    }

    /**
     * Sets the peer's side of the PCI bus. By default it is the side of the test.
     *
     * @param role of the peer's emulator; {@link DocaEmulator.Role#DEFAULT} changes nothing
     * @return this peer
     */
    public PeerJvm role(DocaEmulator.Role role) {
        Objects.requireNonNull(role, "role");
        return role == DocaEmulator.Role.DEFAULT ? this : environment(EmulatorEnvironment.ROLE, Settings.name(role));
    }

    /**
     * Sets an environment variable of the peer. All other variables are those of the test's JVM.
     *
     * @param variable the name
     * @param value the value, which replaces that of the test's JVM
     * @return this peer
     */
    public PeerJvm environment(String variable, String value) {
        environment.put(Objects.requireNonNull(variable, "variable"), Objects.requireNonNull(value, "value"));
        return this;
    }

    /**
     * Adds options of the peer's JVM, after the default options such as {@code -XX:+UseSerialGC}.
     *
     * @param more the options, such as {@code -Xmx1g}
     * @return this peer
     */
    public PeerJvm options(String... more) {
        options.addAll(Elements.copy(more, "more"));
        return this;
    }

    /**
     * Removes entries from the peer's class path, for example a logging library that would write to the standard output of a main
     * class.
     *
     * @param library the beginning of the file names to remove, such as {@code logback}
     * @return this peer
     */
    public PeerJvm without(String library) {
        leftOut.add(Objects.requireNonNull(library, "library"));
        return this;
    }

    /**
     * Sets how long the test waits for a line, and for the end in {@link #await} and {@link #close}; 60 s by default.
     *
     * @param newTimeout more than 0; more than 292 years count as 292 years; may be changed after the start, too
     * @return this peer
     * @throws IllegalArgumentException if {@code newTimeout} is 0 or less
     */
    public PeerJvm timeout(Duration newTimeout) {
        Objects.requireNonNull(newTimeout, "newTimeout");
        if (newTimeout.isNegative() || newTimeout.isZero()) {
            throw new IllegalArgumentException("The timeout must be positive: " + newTimeout);
        }
        timeout = newTimeout.compareTo(MAX_TIMEOUT) > 0 ? MAX_TIMEOUT : newTimeout;
        return this;
    }

    /**
     * Starts the peer with a main class. This does not wait until the class runs.
     *
     * @param main a class with a {@code main} method, on the class path or module path of the test
     * @param arguments of the {@code main} method
     * @return this peer
     * @throws IllegalStateException if the peer was started before
     * @throws UncheckedIOException if the system cannot start the process
     */
    public PeerJvm start(Class<?> main, String... arguments) {
        Objects.requireNonNull(main, "main");
        return start(main.getSimpleName(), main, main.getName(), Elements.copy(arguments, "arguments"));
    }

    /**
     * Starts the peer with a program. This does not wait until the program runs. The class that contains the lambda is initialized
     * in the peer, too.
     *
     * @param program a lambda, which is serialized for the peer with the values that it captures
     * @return this peer
     * @throws IllegalArgumentException if the lambda captures a value that is not serializable, such as the test, or has more than
     *     96,000 bytes with its values
     * @throws IllegalStateException if the peer was started before
     * @throws UncheckedIOException if the system cannot start the process
     */
    public PeerJvm start(Program program) {
        Objects.requireNonNull(program, "program");
        Class<?> home = program.getClass().getNestHost();
        return start(
                "of " + home.getSimpleName(),
                home,
                PeerMain.class.getName(),
                List.of(Base64.getEncoder().encodeToString(serialize(program))));
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
        if (bytes.size() > MAX_PROGRAM) {
            throw new IllegalArgumentException("The program and the values that it captures have " + bytes.size()
                    + " bytes; at most " + MAX_PROGRAM + " can be passed. Send further values as lines, or in a file");
        }
        return bytes.toByteArray();
    }

    private PeerJvm start(String newName, Class<?> home, String main, List<String> arguments) {
        if (process != null) {
            throw new IllegalStateException(this + " was started before");
        }
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of("-XX:+UseTransparentHugePages", "-Xlog:pagesize=off"));
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Dslf4j.internal.verbosity=ERROR"));
        command.add("-Ddoca.backend=" + Doca.backend().name().toLowerCase(Locale.ROOT));
        Optional.ofNullable(System.getProperty("doca.library.path"))
                .ifPresent(path -> command.add("-Ddoca.library.path=" + path));
        command.addAll(options);
        command.addAll(List.of("-cp", classPath(home), main));
        command.addAll(arguments);
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
        readers.add(read("output", started.getInputStream(), next -> {
            received.add(next);
            wake();
        }));
        readers.add(read("errors", started.getErrorStream(), next -> {}));
        return this;
    }

    /** Starts a thread that records the lines of a stream and passes them on, and then empty for the end of the stream. */
    private Thread read(String what, InputStream stream, Consumer<Optional<String>> consumer) {
        return Thread.ofPlatform().daemon().name(this + ", " + what).start(() -> {
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    record(line);
                    consumer.accept(Optional.of(line));
                }
            } catch (IOException killed) {
                record("(" + killed.getMessage() + ")");
            }
            consumer.accept(Optional.empty());
        });
    }

    private void record(String line) {
        synchronized (output) {
            output.append(line).append(System.lineSeparator());
            if (output.length() > MAX_OUTPUT) {
                output.delete(0, output.length() - MAX_OUTPUT / 2);
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
     * Sends a line to the peer. It waits while the pipe to the peer is full, without a timeout: a peer that does not read blocks the
     * sender of more than a pipe holds, which is usually 64 KiB. The end of the peer, for example by {@link #kill}, ends the wait.
     *
     * @param line without line breaks
     * @throws AssertionError if the peer has ended, or ends while this waits
     * @throws IllegalArgumentException if {@code line} has a line break
     * @throws IllegalStateException if the peer was not started
     */
    public void send(String line) {
        checkLine(line);
        BufferedWriter writer = Objects.requireNonNull(started(input));
        sending.lock();
        try {
            writer.write(line);
            writer.newLine();
            writer.flush();
        } catch (IOException e) {
            throw new AssertionError(ended("before it read \"" + line + "\""), e);
        } finally {
            sending.unlock();
        }
    }

    /** The other side would receive several lines. */
    private static void checkLine(String line) {
        Objects.requireNonNull(line, "line");
        if (line.indexOf('\n') >= 0 || line.indexOf('\r') >= 0) {
            throw new IllegalArgumentException("A line cannot have line breaks: \"" + line + "\"");
        }
    }

    /**
     * Waits for the next line of the peer. The calling thread does not progress any engine meanwhile.
     *
     * @return the line, without its line break
     * @throws AssertionError if the peer ends, or sends no line within the timeout; the message has the peer's output
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalStateException if the peer was not started
     */
    public String receive() throws InterruptedException {
        started(process);
        return line(received.poll(timeout.toNanos(), TimeUnit.NANOSECONDS));
    }

    /**
     * Waits for the next line of the peer, and progresses an engine meanwhile.
     *
     * @param engine whose thread calls
     * @return the line, without its line break
     * @throws AssertionError if the peer ends, or sends no line within the timeout; the message has the peer's output
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalStateException if the peer was not started, the engine is closed, or another thread than the engine's calls
     */
    public String receive(ProgressEngine engine) throws InterruptedException {
        Objects.requireNonNull(engine, "engine");
        started(process);
        setWoken(engine);
        try {
            engine.await(() -> !received.isEmpty(), timeout);
        } finally {
            setWoken(null);
        }
        return line(received.poll());
    }

    @SuppressWarnings("NullableOptional") // null: no line within the timeout; empty: the end of the output
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
     * Sends a line and waits for the next line of the peer, as {@link #send} and {@link #receive()} do.
     *
     * @param line without line breaks
     * @return the line of the peer, without its line break
     * @throws AssertionError if the peer ends, or sends no line within the timeout; the message has the peer's output
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalArgumentException if {@code line} has a line break
     * @throws IllegalStateException if the peer was not started
     */
    public String ask(String line) throws InterruptedException {
        send(line);
        return receive();
    }

    /**
     * Returns the output of the peer so far, which includes the lines that the test has received or will receive. Any thread may
     * call.
     *
     * @return the lines of standard output and standard error, in the order in which they were read; without the oldest part if
     *     there are more than 1048576 characters
     */
    public String output() {
        synchronized (output) {
            return output.toString();
        }
    }

    /**
     * {@return the process of the peer, which may have ended}
     *
     * @throws IllegalStateException if the peer was not started
     */
    public ProcessHandle process() {
        return started(process).toHandle();
    }

    /**
     * Waits until the peer ends by itself. After this call, no exit code of the peer fails the test.
     *
     * @return the exit code; 128 plus the number of the signal if a signal has ended the peer
     * @throws AssertionError if the peer does not end within the timeout; it still runs then
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalStateException if the peer was not started
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

    /**
     * Suspends the peer by SIGSTOP, and waits until all of its threads have stopped.
     *
     * @throws AssertionError if the peer has ended
     * @throws IllegalStateException if the peer was not started
     */
    public void suspend() {
        signal("STOP");
        Path threads = Path.of("/proc", Long.toString(started(process).pid()), "task");
        while (!isEachStopped(threads)) {
            if (!started(process).isAlive()) {
                throw new AssertionError(ended("before it was suspended"));
            }
            Thread.onSpinWait();
        }
    }

    private static boolean isEachStopped(Path threads) {
        try (Stream<Path> all = Files.list(threads)) {
            return all.allMatch(PeerJvm::isStopped);
        } catch (NoSuchFileException | UncheckedIOException processHasEnded) {
            return false;
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

    /**
     * Resumes a suspended peer by SIGCONT.
     *
     * @throws AssertionError if the peer has ended
     * @throws IllegalStateException if the peer was not started
     */
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

    /**
     * Kills the peer and its child processes by SIGKILL, and waits until the peer has ended and its output is read. Does nothing if
     * the peer has ended before. A kill does not fail the test.
     *
     * @throws IllegalStateException if the peer was not started
     */
    public void kill() {
        Process peer = started(process);
        if (peer.isAlive()) {
            endIsExpected = true;
        }
        // Process.destroyForcibly() would close the streams and lose unread output.
        List<ProcessHandle> children = peer.descendants().toList();
        peer.toHandle().destroyForcibly();
        peer.onExit().join();
        children.forEach(ProcessHandle::destroyForcibly); // they may keep the output open
        awaitOutput();
    }

    /**
     * Closes the input of the peer, and waits until the peer ends by itself. Does nothing if the peer was not started or is closed.
     *
     * @throws AssertionError if the peer does not end within the timeout and is killed, or if it has ended with an exit code other
     *     than 0 and neither {@link #await} nor {@link #kill} was called
     */
    @Override
    public void close() {
        Process peer = process;
        if (peer == null || closed) {
            return;
        }
        closed = true;
        long deadline = System.nanoTime() + timeout.toNanos();
        boolean ended;
        try {
            ended = closeInput(timeout.toNanos()) && peer.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
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

    /** Closes the input of the peer. Returns false if a thread is blocked in a send for the whole time. */
    private boolean closeInput(long nanos) throws InterruptedException {
        if (!sending.tryLock(nanos, TimeUnit.NANOSECONDS)) {
            return false;
        }
        try {
            Objects.requireNonNull(input).close();
        } catch (IOException hasEnded) {
            record("(" + hasEnded.getMessage() + ")");
        } finally {
            sending.unlock();
        }
        return true;
    }

    /** Kills the peer if it still runs at the end of a test. */
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

    /** Waits for the last output, which may arrive after the end of the process. */
    private void awaitOutput() {
        long start = System.nanoTime();
        for (Thread reader : readers) {
            try {
                reader.join(timeout.minusNanos(System.nanoTime() - start));
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

    /** Returns the class path and the module path of this JVM, and the classes that patch a module, as tests do. */
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

    /** {@return the main class, or the class that contains the lambda} */
    @Override
    public String toString() {
        return "PeerJvm" + (name == null ? "" : " " + name);
    }
}
