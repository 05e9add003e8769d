/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PendingWorkTest {

    private final PendingWork pending = new PendingWork();
    private final List<LoopSubmission<Void>> added = new ArrayList<>();

    @BeforeEach
    void addThree() {
        // The thread of this loop is never started.
        LoopThread loop = new LoopThread(ProgressLoop.builder(), new LoopRoom(1));
        for (int i = 0; i < 3; i++) {
            added.add(new LoopSubmission<>(loop, CompletableFuture::new));
            pending.add(added.getLast());
        }
    }

    private List<Integer> takeAll() {
        List<Integer> taken = new ArrayList<>();
        while (!pending.isEmpty()) {
            taken.add(added.indexOf(pending.takeAny()));
        }
        return taken;
    }

    @Test
    void aSubmissionThatWasMovedIsRemovedFromItsNewPlace() {
        pending.remove(added.get(0));
        pending.remove(added.get(2));
        assertThat(takeAll()).containsExactly(1);
    }

    @Test
    void theLastSubmissionIsRemoved() {
        pending.remove(added.get(2));
        pending.remove(added.get(1));
        assertThat(takeAll()).containsExactly(0);
    }

    @Test
    void aSecondRemovalDoesNothing() {
        pending.remove(added.get(1));
        pending.remove(added.get(1));
        pending.removeLater(added.get(1));
        pending.sweep();
        assertThat(takeAll()).containsExactlyInAnyOrder(0, 2);
    }

    @Test
    void aSubmissionThatWasTakenIsNotRemovedAgain() {
        LoopSubmission<?> taken = pending.takeAny();
        pending.remove(taken);
        assertThat(takeAll()).containsExactlyInAnyOrder(0, 1);
    }

    @Test
    void submissionsEndedByOtherThreadsAreRemovedByTheNextSweep() {
        added.forEach(pending::removeLater);
        assertThat(pending.isEmpty()).isFalse();
        pending.sweep();
        assertThat(pending.isEmpty()).isTrue();
    }
}
