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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
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
    synchronized Result run(String... arguments) throws IOException, InterruptedException {
        runs.write(arguments.length);
        for (String argument : arguments) {
            runs.writeUTF(argument);
        }
        runs.flush();
        List<String> printed = new ArrayList<>();
        List<String> complaints = new ArrayList<>();
        int exitCode = readRun(out, printed);
        readRun(err, complaints);
        return new Result(exitCode, process.pid(), List.copyOf(printed), List.copyOf(complaints));
    }

    /** Reads the lines of one run, and gives its exit code. */
    private int readRun(BlockingQueue<String> stream, List<String> lines) throws InterruptedException {
        while (true) {
            String line = stream.poll(PATIENCE_S, TimeUnit.SECONDS);
            if (line == null) {
                process.destroyForcibly();
                throw new AssertionError(
                        "The sample did not end. It printed " + lines + ", and unread are " + out + " and " + err);
            }
            if (line.startsWith(SampleLoop.END)) {
                return Integer.parseInt(line.substring(SampleLoop.END.length()));
            }
            lines.add(line);
        }
    }
}
