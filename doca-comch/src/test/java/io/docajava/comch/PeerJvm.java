/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.Doca;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.emulator.EmulatorEnvironment;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A {@link Peer} on the other side of the PCI bus that a test talks to: it answers each line with a line, and ends when there are no
 * more. It starts quickly: it has nobody who logs.
 */
final class PeerJvm implements AutoCloseable {

    private final Process process;
    private final BufferedWriter questions;
    private final BufferedReader answers;
    private int unread;

    private PeerJvm(String role) {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UseDynamicNumberOfCompilerThreads",
                "-Xmx128m",
                "--enable-native-access=ALL-UNNAMED",
                "--illegal-native-access=deny",
                "-Ddoca.backend=" + Doca.backend().name().toLowerCase(Locale.ROOT),
                "-Dslf4j.internal.verbosity=ERROR",
                "-cp",
                classPath(),
                Peer.class.getName());
        builder.environment().put(EmulatorEnvironment.ROLE, role);
        try {
            process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        questions = process.outputWriter();
        answers = process.inputReader();
    }

    /** One with the devices of the host. */
    static PeerJvm host() {
        return new PeerJvm("host");
    }

    /** One with the devices of the DPU. */
    static PeerJvm dpu() {
        return new PeerJvm("dpu");
    }

    /** Asks without waiting for the answer. What a test before has failed to read is no answer to this. */
    void tell(String question) {
        while (unread > 0) {
            answer();
        }
        unread++;
        try {
            questions.write(question);
            questions.newLine();
            questions.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String ask(String question) {
        tell(question);
        return answer();
    }

    /** Returns the answer to the last command of this side; progresses until it has arrived. */
    String answer(ProgressEngine engine) throws InterruptedException {
        CompletableFuture<String> answer = CompletableFuture.supplyAsync(
                this::answer, work -> Thread.ofVirtual().start(work));
        // The engine may sleep until something happens to it, which an answer is not.
        CompletableFuture<String> woken = answer.whenComplete((text, failure) -> engine.wakeUp());
        if (!engine.await(answer::isDone, ServerLab.SOON) || woken.isCancelled()) {
            throw new AssertionError("The peer has not answered within " + ServerLab.SOON);
        }
        return answer.resultNow();
    }

    String answer() {
        try {
            String answer = answers.readLine();
            unread--;
            if (answer == null) {
                throw new IllegalStateException("The peer has ended without an answer");
            }
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends SIGSTOP and waits until none of its threads runs. */
    void suspend() {
        signal("STOP");
        Path threads = Path.of("/proc", Long.toString(process.pid()), "task");
        while (!isEachStopped(threads)) {
            Thread.onSpinWait();
        }
    }

    private static boolean isEachStopped(Path threads) {
        try (Stream<Path> all = Files.list(threads)) {
            return all.allMatch(PeerJvm::isStopped);
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

    /** Lets a suspended one go on. */
    void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                            .start()
                            .onExit()
                            .join()
                            .exitValue())
                    .isZero();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends SIGKILL and waits until the process is gone. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Lets it end by itself, unless it was killed. */
    @Override
    public void close() {
        try {
            if (process.isAlive()) {
                questions.close();
                process.onExit().join();
            }
            answers.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What this JVM has on its module path and its class path, and the tests, which are a patch to the module. */
    private static String classPath() {
        return Stream.of(
                        Path.of(System.getProperty("basedir", "."), "target", "test-classes")
                                .toString(),
                        System.getProperty("jdk.module.path", ""),
                        System.getProperty("java.class.path", ""))
                .flatMap(paths -> Arrays.stream(paths.split(File.pathSeparator, -1)))
                .filter(path -> !path.contains("logback"))
                .collect(Collectors.joining(File.pathSeparator));
    }
}
