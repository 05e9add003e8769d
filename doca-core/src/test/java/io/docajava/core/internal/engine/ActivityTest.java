/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ActivityTest {

    /** A task that was never submitted neither begins a busy period nor counts as one that does not complete. */
    @Test
    void recountForgetsTheTickWithATooHighNumber() {
        Activity activity = new Activity();
        activity.tick(1);
        activity.markSubmitted(1, true);
        activity.tick(1_000);
        activity.recount(0, 0);
        activity.markSubmitted(1, true);
        activity.tick(9_000);
        assertThat(activity.nanosToReport(9_000, 500)).isEqualTo(500);
        assertThat(activity.quiet(9_000)).isZero();
    }
}
