/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.remote;

import io.docajava.core.memory.MmapExport;
import io.docajava.rdma.ConnectionDetails;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.util.Base64;

/** A {@link Peer} in another process that a test talks to: it answers each line with a line, and ends when there are no more. */
final class PeerJvm implements AutoCloseable {

    private final Process process;
    private final BufferedWriter questions;
    private final BufferedReader answers;

    PeerJvm() throws IOException {
        process = TestJvm.of(Peer.class).start();
        questions = process.outputWriter();
        answers = process.inputReader();
    }

    /** Asks without waiting for the answer. */
    void tell(String question) throws IOException {
        questions.write(question);
        questions.newLine();
        questions.flush();
    }

    String ask(String question) throws IOException {
        tell(question);
        return answer();
    }

    String answer() throws IOException {
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("The peer has ended without an answer");
        }
        return answer;
    }

    MmapExport export() throws IOException {
        return MmapExport.parse(Base64.getDecoder().decode(ask("export")));
    }

    /** The details of another connection of the peer. */
    ConnectionDetails prepare() throws IOException {
        return ConnectionDetails.of(Base64.getDecoder().decode(ask("prepare")));
    }

    /** Has the peer connect the connection that it has prepared last; it answers when that is established. */
    void connect(ConnectionDetails details) throws IOException {
        tell("connect " + Base64.getEncoder().encodeToString(details.bytes()));
    }

    boolean isAlive() {
        return process.isAlive();
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
