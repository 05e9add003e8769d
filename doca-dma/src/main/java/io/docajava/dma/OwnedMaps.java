/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.memory.Mmap;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Closes the maps that a {@link DmaCopier} has made for the segments of users. It keeps those that cannot be closed, as nobody else
 * has them, and tries again later. Safe for use by many threads.
 */
final class OwnedMaps {

    private final Queue<Mmap> unclosed = new ConcurrentLinkedQueue<>();

    /** Closes a map. If that fails, the map is kept for a later attempt. */
    void close(Mmap map) {
        try {
            map.close();
        } catch (Throwable failure) {
            unclosed.add(map);
            throw failure;
        }
    }

    /** Tries again to close the map that has been kept longest. */
    void retry() {
        try {
            closeNext();
        } catch (RuntimeException again) {
            // Reported before; closeRest() will throw it.
        }
    }

    /** Closes all maps that were kept. Throws the first failure, with the others as suppressed exceptions. */
    void closeRest() {
        RuntimeException first = null;
        for (int left = unclosed.size(); left > 0; left--) {
            try {
                closeNext();
            } catch (RuntimeException failure) {
                if (first == null) {
                    first = failure;
                } else {
                    first.addSuppressed(failure);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private void closeNext() {
        Mmap map = unclosed.poll();
        if (map != null) {
            close(map);
        }
    }
}
