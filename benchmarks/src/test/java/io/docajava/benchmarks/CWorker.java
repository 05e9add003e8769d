/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The worker in C, on the emulator. */
final class CWorker implements AutoCloseable {

    private final Process process;
    private final BufferedWriter commands;
    private final BufferedReader answers;

    private CWorker(Process process) {
        this.process = process;
        commands = process.outputWriter(UTF_8);
        answers = process.inputReader(UTF_8);
    }

    /** Starts it as a DPU or as a host. */
    static CWorker start(String role) throws IOException {
        ProcessBuilder builder = EmulatorSdk.program("doca_bench_worker");
        builder.environment().put("DOCA_EMULATOR_ROLE", role);
        return new CWorker(builder.start());
    }

    /** Its answer, or null if it has ended. */
    @Nullable
    String ask(String command) throws IOException {
        commands.write(command);
        commands.newLine();
        commands.flush();
        return answers.readLine();
    }

    /** Its exit code after the end of its input. */
    int end() throws IOException, InterruptedException {
        commands.close();
        return process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
