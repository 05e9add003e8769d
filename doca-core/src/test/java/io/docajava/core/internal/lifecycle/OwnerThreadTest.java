/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.testing.OtherThread;
import org.junit.jupiter.api.Test;

class OwnerThreadTest {

    @Test
    void letsItsOwnThreadPassOnly() throws InterruptedException {
        OwnerThread owner = new OwnerThread();

        owner.check("Thing");
        assertThat(owner.isCurrent()).isTrue();
        assertThat(owner.thread()).isSameAs(Thread.currentThread());
        assertThat(OtherThread.thrownBy(() -> assertThat(owner.isCurrent()).isFalse()))
                .isNull();
        assertThat(OtherThread.thrownBy(() -> owner.check("Thing")))
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessage("Thing belongs to " + OwnerThread.name(Thread.currentThread())
                        + " and was called by thread \"other\"");
    }

    @Test
    void namesThreadsWithoutName() {
        Thread thread = Thread.ofVirtual().unstarted(() -> {});

        assertThat(OwnerThread.name(thread)).isEqualTo("thread #" + thread.threadId());
    }
}
