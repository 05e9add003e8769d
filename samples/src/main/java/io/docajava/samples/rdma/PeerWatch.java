/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.core.progress.IdleStrategy;
import io.docajava.samples.cli.SampleException;
import org.jspecify.annotations.Nullable;

/** An idle strategy for waits for the peer, which ends the wait when the peer has ended. */
final class PeerWatch implements IdleStrategy {

    private final IdleStrategy idle = IdleStrategy.backoff();
    private final Link link;
    private @Nullable SampleException end;

    PeerWatch(Link link) {
        this.link = link;
    }

    /** Throws one round after the end of the peer, so that a last action of the peer is handled first. */
    @Override
    public void idle(int workCount) {
        if (end != null) {
            throw end;
        }
        try {
            link.checkPeer();
            idle.idle(workCount);
        } catch (SampleException gone) {
            end = gone;
        }
    }
}
