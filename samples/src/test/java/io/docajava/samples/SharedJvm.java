/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.docajava.samples.SampleProcess.Result;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A process in which samples run one after the other, much faster than in separate processes. It ends with the JVM of the tests, as
 * its input ends then.
 */
final class SharedJvm {

    /** Far longer than any run takes on a busy machine. */
    private static final long PATIENCE_S = 60;

    private final Process process;
    private final DataOutputStream runs;
    private final BlockingQueue<String> out = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> err = new LinkedBlockingQueue<>();
    private final Semaphore free = new Semaphore(1);
    private volatile boolean killed;

    private SharedJvm(Process process) {
        this.process = process;
        this.runs = new DataOutputStream(new BufferedOutputStream(process.getOutputStream()));
    }

    /** Starts {@link SampleLoop}. */
    static SharedJvm start(ProcessBuilder builder) throws IOException {
        SharedJvm jvm = new SharedJvm(builder.start());
        read(jvm.process.getInputStream(), jvm.out);
        read(jvm.process.getErrorStream(), jvm.err);
        return jvm;
    }

    private static void read(InputStream stream, BlockingQueue<String> lines) {
        Thread.ofPlatform().daemon().start(() -> {
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, UTF_8))) {
                reader.lines().forEach(lines::add);
            } catch (IOException closed) {
                // The process has ended, which the reader notices by the missing lines.
            }
        });
    }

    /** Runs a sample and waits for its end. Any thread may call it; runs of several threads follow each other. */
    Result run(String... arguments) throws IOException, InterruptedException {
        try (SharedRun run = begin(arguments)) {
            return run.end();
        }
    }

    /** Starts a sample after the previous run has ended. */
    SharedRun begin(String... arguments) throws IOException, InterruptedException {
        free.acquire();
        if (!isUsable()) {
            free.release();
            throw new AssertionError("The process was ended, as the run before had failed");
        }
        runs.write(arguments.length);
        for (String argument : arguments) {
            runs.writeUTF(argument);
        }
        runs.flush();
        return new SharedRun(this);
    }

    /** Writes to the standard input of the running sample. */
    void type(String keys) throws IOException {
        runs.write(keys.getBytes(UTF_8));
        runs.flush();
    }

    /** Returns the next line that the sample prints to standard output. */
    String nextOut() throws InterruptedException {
        return next(out);
    }

    /** Returns the next line that the sample prints to standard error. */
    String nextErr() throws InterruptedException {
        return next(err);
    }

    private String next(BlockingQueue<String> stream) throws InterruptedException {
        String line = stream.poll(PATIENCE_S, TimeUnit.SECONDS);
        if (line == null) {
            throw new AssertionError("The sample prints no more. Unread are " + out + " and " + err);
        }
        return line;
    }

    long pid() {
        return process.pid();
    }

    /** Allows the next sample to run. */
    void end() {
        free.release();
    }

    /** Kills the process together with a running sample whose result is not needed. */
    void kill() {
        killed = true;
        process.destroyForcibly();
    }

    boolean isUsable() {
        return !killed && process.isAlive();
    }
}
