/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.testing;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;

/** Another process that answers each line with a line, and ends with its input. */
public final class PeerJvm implements AutoCloseable {

    private final Process process;
    private final BufferedWriter questions;
    private final BufferedReader answers;

    /** Starts the process. */
    public PeerJvm(ChildJvm child, Class<?> main) throws IOException {
        process = child.start(main);
        questions = process.outputWriter();
        answers = process.inputReader();
    }

    /** Sends a line and returns the answer. */
    public String ask(String question) throws IOException {
        questions.write(question);
        questions.newLine();
        questions.flush();
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("The peer has ended instead of answering: " + question);
        }
        return answer;
    }

    /** Kills the process and waits until it has ended. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Closes the input and waits for the end of the process, unless it was killed. */
    @Override
    public void close() throws IOException {
        if (process.isAlive()) {
            questions.close();
            process.onExit().join();
        }
        answers.close();
    }
}
