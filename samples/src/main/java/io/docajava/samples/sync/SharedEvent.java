/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.sync;

import io.docajava.core.sync.SyncEventExport;

/** A sync event as this side uses it: by calls or by tasks. */
interface SharedEvent extends AutoCloseable {

    /** Lets the other side take part. */
    SyncEventExport export();

    void set(long value) throws InterruptedException;

    void add(long addend) throws InterruptedException;

    /**
     * Waits until the other side has made it a number.
     *
     * @throws io.docajava.samples.cli.SampleException if it does not in time
     */
    void await(long value) throws InterruptedException;

    @Override
    void close();
}
