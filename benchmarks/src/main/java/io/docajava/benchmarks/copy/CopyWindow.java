/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.copy;

import io.docajava.core.progress.ProgressEngine;

/** A window of DMA copies. Subclasses choose the API. */
public abstract class CopyWindow extends Window {

    @Override
    protected final Lab open(ProgressEngine progress) {
        CopyLab copies = new CopyLab(progress, size, depth, remote());
        prepare(copies);
        return copies;
    }

    /** Returns the memory that belongs to another process. */
    CopyLab.Remote remote() {
        return CopyLab.Remote.NEITHER;
    }

    /** Prepares the objects that exist for the whole trial. */
    abstract void prepare(CopyLab copies);
}
