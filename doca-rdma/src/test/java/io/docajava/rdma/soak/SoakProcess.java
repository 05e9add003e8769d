/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.soak;

import io.docajava.rdma.remote.TestJvm;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A {@link SoakPeer} from outside. */
final class SoakProcess {

    private final Process process;
    private final BufferedWriter questions;
    /** What it has said, until it is taken. */
    private final Queue<String> answers = new ConcurrentLinkedQueue<>();

    private final Thread reader;

    /**
     * @param engine how its operations are carried out
     * @param listener told by another thread when it has said something
     */
    SoakProcess(String engine, Runnable listener) throws IOException {
        ProcessBuilder builder = TestJvm.of(SoakPeer.class);
        builder.environment().put("DOCA_EMULATOR_ENGINE", engine);
        process = builder.start();
        questions = process.outputWriter();
        reader = new Thread(() -> read(listener), "reader");
        reader.start();
    }

    private void read(Runnable listener) {
        try (BufferedReader reading = process.inputReader()) {
            for (String line = reading.readLine(); line != null; line = reading.readLine()) {
                answers.add(line);
                listener.run();
            }
        } catch (IOException e) {
            // It was killed, and so says nothing more.
        }
    }

    void tell(String line) throws IOException {
        questions.write(line);
        questions.newLine();
        questions.flush();
    }

    boolean hasAnswered() {
        return !answers.isEmpty();
    }

    Optional<String> takeAnswer() {
        return Optional.ofNullable(answers.poll());
    }

    /** Sends SIGKILL, and does not wait. */
    void kill() {
        process.destroyForcibly();
    }

    /** Waits until it has ended, by itself unless it was killed. */
    void awaitEnd() throws IOException, InterruptedException {
        try {
            questions.close();
        } catch (IOException e) {
            // It was killed, and something was left that it had not read.
        }
        process.waitFor();
        reader.join();
    }
}
