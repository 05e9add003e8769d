/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskFailedException.Reason;
import org.junit.jupiter.api.Test;

/** Tests the orders in which an SDK may report a failure and the resulting stop. */
class StopCauseTest {

    private final StopCause cause = new StopCause();

    @Test
    void theStateChangesFirst() {
        cause.left(1);
        TaskFailedException first = fail(1, false, Reason.ROOT_CAUSE);
        fail(1, false, Reason.ABORTED);
        cause.left(2);
        fail(2, false, Reason.ABORTED);
        assertThat(cause.rootCause()).isSameAs(first);
        assertThat(cause.explain() + cause.advise(true))
                .isEqualTo(": it stopped itself after an operation failed; restart() makes it usable again");
    }

    @Test
    void theFailureComesFirst() {
        TaskFailedException first = fail(1, true, Reason.ROOT_CAUSE);
        assertThat(cause.rootCause()).isNull();
        cause.left(1);
        assertThat(cause.rootCause()).isSameAs(first);
        fail(2, false, Reason.ABORTED);
    }

    @Test
    void theStateChangesInTheNextRound() {
        TaskFailedException first = fail(7, true, Reason.ROOT_CAUSE);
        cause.left(8);
        assertThat(cause.rootCause()).isSameAs(first);
        fail(8, false, Reason.ABORTED);
    }

    @Test
    void aFailureThatTheContextSurvivedIsNotToBlameForALaterStop() {
        fail(1, true, Reason.ROOT_CAUSE);
        cause.left(3);
        assertThat(cause.rootCause()).isNull();
        TaskFailedException later = fail(3, false, Reason.ROOT_CAUSE);
        assertThat(cause.rootCause()).isSameAs(later);
    }

    @Test
    void failuresThatTheContextSurvivesAreEachToBlameForThemselves() {
        fail(1, true, Reason.ROOT_CAUSE);
        fail(1, true, Reason.ROOT_CAUSE);
        fail(5, true, Reason.ROOT_CAUSE);
        assertThat(cause.rootCause()).isNull();
    }

    @Test
    void theFirstFailureOfTwoRoundsIsToBlame() {
        TaskFailedException first = fail(1, true, Reason.ROOT_CAUSE);
        fail(2, true, Reason.ROOT_CAUSE);
        cause.left(2);
        assertThat(cause.rootCause()).isSameAs(first);
    }

    @Test
    void aFailureTwoRoundsLaterIsToBlameForItself() {
        fail(1, true, Reason.ROOT_CAUSE);
        TaskFailedException later = fail(3, true, Reason.ROOT_CAUSE);
        cause.left(3);
        assertThat(cause.rootCause()).isSameAs(later);
    }

    @Test
    void anUnrequestedStopWithoutAFailureHasNoRootCause() {
        cause.left(1);
        assertThat(cause.rootCause()).isNull();
        assertThat(cause.explain() + cause.advise(true))
                .isEqualTo(": it stopped itself; restart() makes it usable again");
    }

    @Test
    void nobodyIsToBlameForADeliberateStop() {
        fail(1, true, Reason.ROOT_CAUSE);
        cause.request();
        cause.left(1);
        fail(2, false, Reason.CANCELLED);
        assertThat(cause.rootCause()).isNull();
        assertThat(cause.explain() + cause.advise(true)).isEqualTo(": it was stopped; restart() starts it again");
    }

    private TaskFailedException fail(long round, boolean running, Reason expected) {
        assertThat(cause.reason(running)).isEqualTo(expected);
        TaskFailedException failure =
                new TaskFailedException("failure in round " + round, 17, "doca_dma_task_memcpy", expected);
        if (expected == Reason.ROOT_CAUSE) {
            cause.blame(failure, running, round);
        }
        return failure;
    }
}
