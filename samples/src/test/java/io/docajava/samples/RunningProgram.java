/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.docajava.samples.SampleProcess.Result;
import io.docajava.testing.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A process that runs during a test. The test can read its output, type its input, and kill it. */
final class RunningProgram implements AutoCloseable {

    private final Process process;
    private final List<String> out = new ArrayList<>();
    private final List<String> err = new ArrayList<>();
    private final List<Thread> readers = new ArrayList<>();
    /** The number of its streams that are still open; without any, there is no more output. */
    private int openStreams = 2;

    private RunningProgram(Process process) {
        this.process = process;
    }

    static RunningProgram start(ProcessBuilder builder) throws IOException {
        RunningProgram program = new RunningProgram(builder.start());
        program.read(program.process.getInputStream(), program.out);
        program.read(program.process.getErrorStream(), program.err);
        return program;
    }

    private void read(InputStream stream, List<String> lines) {
        readers.add(Thread.ofVirtual().start(() -> {
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, UTF_8))) {
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    add(lines, line);
                }
            } catch (IOException closed) {
                // close() has closed the stream, so the remaining output is not needed.
            } finally {
                finish();
            }
        }));
    }

    private synchronized void add(List<String> lines, String line) {
        lines.add(line);
        notifyAll();
    }

    private synchronized void finish() {
        openStreams--;
        notifyAll();
    }

    /** Waits until a line with this text was printed to standard output. */
    void awaitOut(String text) throws InterruptedException {
        awaitOut(text, 1);
    }

    /** Waits until standard output has this many lines with this text. */
    synchronized void awaitOut(String text, int times) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Await.LIMIT_S);
        while (out.stream().filter(line -> line.contains(text)).count() < times) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (openStreams == 0 || left <= 0) {
                throw new AssertionError("It did not print \"" + text + "\" but " + out + " and " + err);
            }
            wait(left);
        }
    }

    /** Writes to standard input. */
    void type(String keys) throws IOException {
        OutputStream keyboard = process.getOutputStream();
        keyboard.write(keys.getBytes(UTF_8));
        keyboard.flush();
    }

    void closeInput() throws IOException {
        process.getOutputStream().close();
    }

    /** Kills the process, as {@code kill -KILL} does. */
    void kill() throws InterruptedException {
        // Process.destroyForcibly() would close the streams and lose the unread output.
        process.toHandle().destroyForcibly();
        process.waitFor();
    }

    /** Terminates the process, as {@code kill -TERM} does, and similar to Ctrl-C. */
    void terminate() {
        // Process.destroy() would close the streams too.
        process.toHandle().destroy();
    }

    /** Suspends the process, as {@code kill -STOP} does, and returns when all its threads have stopped. */
    void suspend() throws IOException, InterruptedException {
        int exitCode = new ProcessBuilder("kill", "-STOP", Long.toString(process.pid()))
                .start()
                .waitFor();
        if (exitCode != 0) {
            throw new AssertionError("It could not be suspended, for it has ended. It printed " + out + " and " + err);
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Await.LIMIT_S);
        while (!isSuspended()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("It was not suspended within " + Await.LIMIT_S + " s");
            }
            Thread.onSpinWait();
        }
    }

    private boolean isSuspended() throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(process.pid()), "task"))) {
            for (Path thread : threads.toList()) {
                // The state follows the name of the thread, which is in parentheses.
                String status = Files.readString(thread.resolve("stat"));
                if (status.charAt(status.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
            return true;
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Waits for the end of the process. */
    Result end() throws InterruptedException {
        if (!process.waitFor(Await.LIMIT_S, TimeUnit.SECONDS)) {
            throw new AssertionError("It did not end. It printed " + out + " and " + err);
        }
        for (Thread reader : readers) {
            reader.join();
        }
        synchronized (this) {
            return new Result(process.exitValue(), process.pid(), List.copyOf(out), List.copyOf(err));
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
