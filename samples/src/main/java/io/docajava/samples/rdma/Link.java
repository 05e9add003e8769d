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

/** Connection of a sample and its peer, which keeps them in step. */
interface Link extends AutoCloseable {

    /** Lets the peer reach memory, of which it is told when the two connect. Before {@link #connect}. */
    void offer(Mmap memory) throws IOException;

    /** Lets the peer change an event, likewise. */
    void offer(SyncEvent event) throws IOException;

    /** Connects so many times, and waits until operations may be submitted. */
    List<RdmaConnection> connect(int connections) throws IOException, InterruptedException;

    /** The memory that the peer offers. After {@link #connect}. */
    Mmap importMemory() throws IOException, InterruptedException;

    /** The event that the peer offers. After {@link #connect}. */
    RemoteSyncEvent importEvent() throws IOException, InterruptedException;

    /** Waits for something that the peer has to do: as long as it takes, or as the flags say. */
    <T> T await(Completion<T> fromPeer) throws InterruptedException;

    /**
     * Progresses, and looks whether the peer has gone, as far as the connections tell.
     *
     * @throws SampleException if it has
     */
    void checkPeer();

    /** Waits until enter is pressed, or until a peer that can do so tells by a word that it is time. */
    void await(String word, Prompt prompt) throws IOException;

    /** Tells a word to a peer that can be told one. */
    void tell(String word) throws IOException;

    /** Ends the connections. */
    void disconnect();

    /** Cleans up. */
    @Override
    void close() throws IOException;

    /**
     * Questions for the user where no peer answers.
     *
     * @param withFiles what to say where files are copied by hand; null where there is nothing to wait for
     * @param withAddresses what to say where connections are by address; likewise
     */
    record Prompt(@Nullable String withFiles, @Nullable String withAddresses) {

        /** In no case. */
        static final Prompt NONE = new Prompt(null, null);

        /** In both cases. */
        static Prompt always(String text) {
            return new Prompt(text, text);
        }
    }
}
