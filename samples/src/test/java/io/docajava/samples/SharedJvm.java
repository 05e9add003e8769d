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
 * A process in which samples run one after the other, much quicker than in one each. It ends with the JVM of the tests,
 * whose end is the end of its input.
 */
final class SharedJvm {

    /** Far longer than anything here takes on a machine that is busy. */
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
                // The process has ended, which is seen by the lack of its lines.
            }
        });
    }

    /** Runs a sample and waits for its end. By any thread; runs of several threads come one after the other. */
    Result run(String... arguments) throws IOException, InterruptedException {
        try (SharedRun run = begin(arguments)) {
            return run.end();
        }
    }

    /** Begins to run a sample, when the run before has ended. */
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

    /** Types to the standard input of the sample that runs. */
    void type(String keys) throws IOException {
        runs.write(keys.getBytes(UTF_8));
        runs.flush();
    }

    /** The next line that the sample prints to standard output. */
    String nextOut() throws InterruptedException {
        return next(out);
    }

    /** The next line that the sample prints to standard error. */
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

    /** Lets the next sample run. */
    void end() {
        free.release();
    }

    /** Ends the process, in which a sample runs that nobody waits for. */
    void kill() {
        killed = true;
        process.destroyForcibly();
    }

    boolean isUsable() {
        return !killed && process.isAlive();
    }
}
