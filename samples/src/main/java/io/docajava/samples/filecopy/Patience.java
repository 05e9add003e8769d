/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.filecopy;

import io.docajava.samples.cli.SampleException;
import java.time.Duration;

/** Waits for the other side by pauses of increasing length, up to a limit. */
final class Patience {

    private static final long FIRST_PAUSE = 10_000;
    private static final long LONGEST_PAUSE = 2_000_000;

    private final Duration limit;
    private final String complaint;
    private long pause;
    private long began;

    /**
     * @param limit the longest time without progress
     * @param complaint the message in that case, which is followed by a time, such as "for 30 s"
     */
    Patience(Duration limit, String complaint) {
        this.limit = limit;
        this.complaint = complaint;
        progressed();
    }

    /** Notes progress, which restarts the time and the pauses. */
    void progressed() {
        pause = FIRST_PAUSE;
        keep();
    }

    /** Restarts the time, but not the pauses. */
    void keep() {
        began = System.nanoTime();
    }

    /** Returns whether there was a pause since the last progress. */
    boolean isTried() {
        return pause > FIRST_PAUSE;
    }

    /**
     * Pauses.
     *
     * @throws SampleException if there was no progress for too long
     */
    void pause() throws InterruptedException {
        if (System.nanoTime() - began > limit.toNanos()) {
            throw new SampleException(complaint + " for " + limit.toSeconds() + " s");
        }
        Thread.sleep(Duration.ofNanos(pause));
        pause = Math.min(2 * pause, LONGEST_PAUSE);
    }
}
