/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.pair;

import io.docajava.benchmarks.BenchMemory;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The process that runs the loops in C. It sleeps while there is no command. */
public final class CWorker implements AutoCloseable {

    /** The time limit for an answer. Opening a device with much memory takes long, which is not measured. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Process process;
    private final BufferedWriter questions;
    private final BufferedReader answers;

    private CWorker(Process process) {
        this.process = process;
        questions = process.outputWriter();
        answers = process.inputReader();
    }

    /**
     * Starts the worker, which uses the same memory as this process.
     *
     * @throws IOException if it cannot be started
     */
    public static CWorker start() throws IOException {
        ProcessBuilder worker = NativePrograms.program(
                "2.2".equals(System.getenv("DOCA_EMULATOR_RELEASE")) ? "doca_bench_worker_2_2" : "doca_bench_worker");
        worker.environment().put(BenchMemory.VARIABLE, BenchMemory.path());
        return new CWorker(worker.start());
    }

    /**
     * Runs a case for a time.
     *
     * @param name the case
     * @param size the number of bytes of an operation
     * @param depth the number of operations in flight
     * @param time the approximate time
     * @throws IOException if the worker has ended
     * @throws IllegalStateException if the case fails, or takes too long
     */
    public Slice run(String name, long size, int depth, Duration time) throws IOException {
        questions.write(name + " " + size + " " + depth + " " + time.toNanos());
        questions.newLine();
        questions.flush();
        CompletableFuture<Boolean> late = new CompletableFuture<Boolean>()
                .completeOnTimeout(true, time.plus(PATIENCE).toMillis(), TimeUnit.MILLISECONDS);
        CompletableFuture<Void> kill = late.thenAccept(isLate -> {
            if (isLate) {
                process.destroyForcibly();
            }
        });
        String answer = answers.readLine();
        late.complete(false);
        kill.join();
        if (answer == null) {
            throw new IOException("The worker in C ended in case " + name + " " + size + " " + depth);
        }
        return Slice.parse(answer);
    }

    /** Ends the worker. */
    @Override
    public void close() throws IOException {
        try (questions;
                answers) {
            questions.close();
            process.onExit()
                    .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                    .exceptionally(e -> {
                        process.destroyForcibly();
                        return process;
                    })
                    .join();
        }
    }
}
