/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.docajava.testing.Await;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A process in which samples run one after the other, much faster than in separate processes. Tests take one for each run, and give
 * it back for the next one. It ends with the JVM of the tests, as its input ends then.
 */
final class SharedJvm {

    /** The processes that run nothing, by the command and the environment that they were started with. */
    private static final Map<List<Object>, Queue<SharedJvm>> IDLE = new ConcurrentHashMap<>();

    private final Queue<SharedJvm> idle;
    private final Process process;
    private final DataOutputStream runs;
    private final BlockingQueue<String> out = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> err = new LinkedBlockingQueue<>();

    private SharedJvm(Queue<SharedJvm> idle, Process process) {
        this.idle = idle;
        this.process = process;
        this.runs = new DataOutputStream(new BufferedOutputStream(process.getOutputStream()));
    }

    /** Takes an idle process for one run, or starts {@link SampleLoop} and waits until it reads runs. */
    static SharedJvm take(ProcessBuilder builder) throws IOException, InterruptedException {
        Queue<SharedJvm> idle = IDLE.computeIfAbsent(
                List.of(List.copyOf(builder.command()), Map.copyOf(builder.environment())),
                none -> new ConcurrentLinkedQueue<>());
        SharedJvm jvm = idle.poll();
        return jvm == null ? start(idle, builder) : jvm;
    }

    private static SharedJvm start(Queue<SharedJvm> idle, ProcessBuilder builder)
            throws IOException, InterruptedException {
        SharedJvm jvm = new SharedJvm(idle, builder.start());
        read(jvm.process.getInputStream(), jvm.out);
        read(jvm.process.getErrorStream(), jvm.err);
        if (!jvm.nextOut().equals(SampleLoop.READY)) {
            throw new AssertionError("The process did not start: " + jvm.out + " and " + jvm.err);
        }
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

    /** Starts a sample. */
    SharedRun begin(EmulatorSettings settings, String... arguments) throws IOException {
        runs.write(arguments.length);
        for (String argument : arguments) {
            runs.writeUTF(argument);
        }
        settings.write(runs);
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
        String line = stream.poll(Await.LIMIT_S, TimeUnit.SECONDS);
        if (line == null) {
            throw new AssertionError("The sample prints no more. Unread are " + out + " and " + err);
        }
        return line;
    }

    long pid() {
        return process.pid();
    }

    /** Gives the process back after a run. */
    void giveBack() {
        idle.add(this);
    }

    /** Kills the process together with a running sample whose result is not needed. */
    void kill() {
        process.destroyForcibly();
    }
}
