/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.sync;

import io.docajava.core.sync.SyncEventExport;

/** A sync event that is used by calls or by tasks. */
interface SharedEvent extends AutoCloseable {

    /** Exports the event for the other side. */
    SyncEventExport export();

    void set(long value) throws InterruptedException;

    void add(long addend) throws InterruptedException;

    /**
     * Waits until the other side has set the event to a value.
     *
     * @throws io.docajava.samples.cli.SampleException if that takes too long
     */
    void await(long value) throws InterruptedException;

    @Override
    void close();
}
