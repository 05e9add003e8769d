/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.core.progress.IdleStrategy;
import io.docajava.samples.cli.SampleException;
import org.jspecify.annotations.Nullable;

/** Idles in a wait for something that the peer has to do, and ends that wait when the peer has gone. */
final class PeerWatch implements IdleStrategy {

    private final IdleStrategy idle = IdleStrategy.backoff();
    private final Link link;
    private @Nullable SampleException end;

    PeerWatch(Link link) {
        this.link = link;
    }

    /** Throws one round later than it has seen the end: the peer may have done its part just before, which is looked at first. */
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
