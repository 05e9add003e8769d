/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.remote;

import io.docajava.core.memory.MmapExport;
import io.docajava.dma.TestJvm;
import io.docajava.emulator.EmulatorEnvironment;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.util.Base64;
import java.util.List;

/** Another process that a test talks to: it answers each line with a line, and ends when there are no more. */
final class PeerJvm implements AutoCloseable {

    private final Process process;
    private final BufferedWriter questions;
    private final BufferedReader answers;

    private PeerJvm(String role, Class<?> main) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(TestJvm.command(List.of(), main));
        builder.environment().put(EmulatorEnvironment.ROLE, role);
        process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        questions = process.outputWriter();
        answers = process.inputReader();
    }

    /** A process on the host with memory to export. */
    static PeerJvm host() throws IOException {
        return new PeerJvm("host", HostMemory.class);
    }

    /** A process on the DPU. */
    static PeerJvm dpu(Class<?> main) throws IOException {
        return new PeerJvm("dpu", main);
    }

    String ask(String question) throws IOException {
        questions.write(question);
        questions.newLine();
        questions.flush();
        return answer();
    }

    String answer() throws IOException {
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("The peer has ended without an answer");
        }
        return answer;
    }

    /** What a host answers to {@code export <bytes> <access>}. */
    MmapExport export(long bytes, String access) throws IOException {
        return MmapExport.parse(Base64.getDecoder().decode(ask("export " + bytes + " " + access)));
    }

    /** Sends SIGKILL and waits until the process is gone. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Lets it end by itself, unless it was killed. */
    @Override
    public void close() throws IOException {
        if (process.isAlive()) {
            questions.close();
            process.onExit().join();
        }
        answers.close();
    }
}
