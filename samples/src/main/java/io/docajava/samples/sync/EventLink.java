/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.sync;

import io.docajava.core.sync.SyncEventExport;
import java.io.IOException;

/** Carries the export of an event from one side to the other. */
interface EventLink extends AutoCloseable {

    /** Waits for the other side, if that is necessary. */
    void meet() throws InterruptedException;

    /** Sends the export to the other side. */
    void send(SyncEventExport export) throws InterruptedException, IOException;

    /** Waits for the export that the other side sends. */
    SyncEventExport receive() throws InterruptedException, IOException;

    /** Waits until the other side needs this one no more, if it can know. */
    void finish() throws InterruptedException;

    @Override
    void close() throws IOException;
}
