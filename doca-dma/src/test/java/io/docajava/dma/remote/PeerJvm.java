/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.remote;

import io.docajava.core.memory.MmapExport;
import io.docajava.emulator.EmulatorEnvironment;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;

/** Another process that a test talks to: it answers each line with a line, and ends when there are no more. */
final class PeerJvm implements AutoCloseable {

    private final Process process;
    private final BufferedWriter questions;
    private final BufferedReader answers;

    private PeerJvm(String role, Class<?> main) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UseDynamicNumberOfCompilerThreads",
                "-Xmx128m",
                "--enable-native-access=ALL-UNNAMED",
                "--illegal-native-access=deny",
                "-Ddoca.backend=emulator",
                "-cp",
                classPath(),
                main.getName());
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

    /** What this JVM has on its module path and its class path, and the tests, which are a patch to the module. */
    private static String classPath() {
        return String.join(
                File.pathSeparator,
                List.of(
                        Path.of(System.getProperty("basedir", "."), "target", "test-classes")
                                .toString(),
                        System.getProperty("jdk.module.path", ""),
                        System.getProperty("java.class.path", "")));
    }
}
