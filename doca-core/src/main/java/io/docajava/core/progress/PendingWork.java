/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The submissions of a loop whose stages are not complete, as the loop's thread knows them. Adding and removing on that
 * thread costs a few writes to an array and shares nothing with other threads.
 */
final class PendingWork {

    private final List<LoopSubmission<?>> pending = new ArrayList<>();
    /** Those that another thread has completed, and that are to be removed. */
    private final ConcurrentLinkedQueue<LoopSubmission<?>> endedElsewhere = new ConcurrentLinkedQueue<>();

    void add(LoopSubmission<?> submission) {
        submission.place = pending.size();
        pending.add(submission);
    }

    /** Removes what is there still; the last one takes its place. */
    void remove(LoopSubmission<?> submission) {
        int place = submission.place;
        if (place >= 0) {
            LoopSubmission<?> last = pending.removeLast();
            if (place < pending.size()) {
                pending.set(place, last);
                last.place = place;
            }
            submission.place = -1;
        }
    }

    /** Has the loop's thread remove it. Any thread may call. */
    void removeLater(LoopSubmission<?> submission) {
        endedElsewhere.add(submission);
    }

    /** Removes what other threads have completed; to be called now and then. */
    void sweep() {
        if (!endedElsewhere.isEmpty()) {
            for (LoopSubmission<?> ended = endedElsewhere.poll(); ended != null; ended = endedElsewhere.poll()) {
                remove(ended);
            }
        }
    }

    boolean isEmpty() {
        return pending.isEmpty();
    }

    /** Takes any of those that are left; null when there is none. */
    @Nullable
    LoopSubmission<?> takeAny() {
        if (pending.isEmpty()) {
            return null;
        }
        LoopSubmission<?> last = pending.getLast();
        remove(last);
        return last;
    }
}
