/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.soak;

import io.docajava.emulator.EmulatorEnvironment;
import io.docajava.junit.PeerJvm;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Controls a {@link SoakPeer} from another process. */
final class SoakProcess {

    private final PeerJvm peer;
    /** The output of the peer that has not been read yet. */
    private final Queue<String> answers = new ConcurrentLinkedQueue<>();

    private final Thread reader;

    /**
     * Starts the process.
     *
     * @param engine the engine that executes its operations
     * @param listener called on another thread after each line of output
     */
    SoakProcess(String engine, Runnable listener) {
        peer = PeerJvm.create()
                .environment(EmulatorEnvironment.ENGINE, engine)
                .without("logback")
                .timeout(Duration.ofDays(1))
                .start(SoakPeer.class);
        reader = Thread.ofPlatform().name("reader").start(() -> read(listener));
    }

    private void read(Runnable listener) {
        try {
            while (true) {
                answers.add(peer.receive());
                listener.run();
            }
        } catch (AssertionError | InterruptedException hasEnded) {
            // The process prints no more lines.
        }
    }

    void send(String line) {
        peer.send(line);
    }

    boolean hasAnswered() {
        return !answers.isEmpty();
    }

    Optional<String> takeAnswer() {
        return Optional.ofNullable(answers.poll());
    }

    void kill() {
        peer.kill();
    }

    /** Waits until the process has ended, by itself unless it was killed. */
    void awaitEnd() throws InterruptedException {
        peer.close();
        reader.join();
    }
}
