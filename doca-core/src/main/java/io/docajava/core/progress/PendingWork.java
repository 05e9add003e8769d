/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The submissions of a loop whose stages are not complete. On the loop's thread, adding and removing is a few writes to an array,
 * which no other thread uses.
 */
final class PendingWork {

    private final List<LoopSubmission<?>> pending = new ArrayList<>();
    /** Submissions that another thread has completed and that have to be removed. */
    private final ConcurrentLinkedQueue<LoopSubmission<?>> endedElsewhere = new ConcurrentLinkedQueue<>();

    /** Submissions that another thread has cancelled or failed, and whose stages have to be cancelled. */
    private final ConcurrentLinkedQueue<LoopSubmission<?>> cancelledElsewhere = new ConcurrentLinkedQueue<>();

    void add(LoopSubmission<?> submission) {
        submission.place = pending.size();
        pending.add(submission);
    }

    /** Removes a submission, unless it was removed before. The last submission takes its place. */
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

    /** Requests that the loop's thread remove a submission. Any thread may call. */
    void removeLater(LoopSubmission<?> submission) {
        endedElsewhere.add(submission);
    }

    /** Requests that the loop's thread cancel the stage of a submission. Any thread may call. */
    void cancelLater(LoopSubmission<?> submission) {
        cancelledElsewhere.add(submission);
    }

    /** Cancels the stages of the submissions that other threads have cancelled, and removes those that other threads have completed. */
    void sweep() {
        if (!cancelledElsewhere.isEmpty()) {
            for (LoopSubmission<?> next = cancelledElsewhere.poll(); next != null; next = cancelledElsewhere.poll()) {
                next.cancelStage();
            }
        }
        if (!endedElsewhere.isEmpty()) {
            for (LoopSubmission<?> ended = endedElsewhere.poll(); ended != null; ended = endedElsewhere.poll()) {
                remove(ended);
            }
        }
    }

    /** Completes the submissions whose stages are done and could not notify them. */
    void followAgain() {
        List.copyOf(pending).forEach(LoopSubmission::followAgain);
    }

    boolean isEmpty() {
        return pending.isEmpty();
    }

    /** Removes and returns any submission. */
    LoopSubmission<?> takeAny() {
        LoopSubmission<?> last = pending.getLast();
        remove(last);
        return last;
    }
}
