/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.sync.RemoteSyncEvent;
import io.docajava.core.sync.SyncEvent;
import io.docajava.rdma.RdmaConnection;
import io.docajava.samples.cli.SampleException;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The link between a sample and its peer, which connects and synchronizes them. */
interface Link extends AutoCloseable {

    /** Exports memory, which the peer can import after it has connected. Called before {@link #connect}. */
    void offer(Mmap memory) throws IOException;

    /** Exports an event, as {@link #offer(Mmap)} does with memory. */
    void offer(SyncEvent event) throws IOException;

    /** Opens the given number of connections, and waits until operations can be submitted. */
    List<RdmaConnection> connect(int connections) throws IOException, InterruptedException;

    /** Imports the memory that the peer has exported. Called after {@link #connect}. */
    Mmap importMemory() throws IOException, InterruptedException;

    /** Imports the event that the peer has exported. Called after {@link #connect}. */
    RemoteSyncEvent importEvent() throws IOException, InterruptedException;

    /** Waits for an action of the peer, without a limit or with the limit that the flags set. */
    <T> T await(Completion<T> fromPeer) throws InterruptedException;

    /**
     * Progresses, and checks whether the peer has ended, as far as the connections report it.
     *
     * @throws SampleException if the peer has ended
     */
    void checkPeer();

    /** Waits for a word of the peer if the link can carry words; otherwise waits until enter is pressed. */
    void await(String word, Prompt prompt) throws IOException;

    /** Sends a word to the peer if the link can carry words. */
    void sendWord(String word) throws IOException;

    /** Ends the connections. */
    void disconnect();

    /** Closes the link. */
    @Override
    void close() throws IOException;

    /**
     * The prompts for the user if the link cannot carry words.
     *
     * @param withFiles the prompt if files are copied by hand; null if there is nothing to wait for
     * @param withAddresses the prompt if connections are by address; null if there is nothing to wait for
     */
    record Prompt(@Nullable String withFiles, @Nullable String withAddresses) {

        /** No prompt in either case. */
        static final Prompt NONE = new Prompt(null, null);

        /** Returns the same prompt for both cases. */
        static Prompt always(String text) {
            return new Prompt(text, text);
        }
    }
}
