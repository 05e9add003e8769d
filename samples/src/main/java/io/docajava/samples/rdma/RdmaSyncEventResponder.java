/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.core.device.Device;
import io.docajava.core.memory.Access;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncLocation;
import io.docajava.rdma.RdmaContext;
import io.docajava.samples.cli.Sample;
import io.docajava.samples.cli.SampleException;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Exports a sync event that a peer signals, and signals back. */
@Command(
        name = "rdma_sync_event_responder",
        sortOptions = false,
        description = "Lets rdma_sync_event_requester set and read a sync event of this process")
public final class RdmaSyncEventResponder implements Sample {

    private static final Logger LOG = LoggerFactory.getLogger(RdmaSyncEventResponder.class);

    @Mixin
    private PeerFlags flags;

    @Override
    public void run() throws IOException, InterruptedException {
        try (Device device = flags.open();
                ProgressEngine engine = ProgressEngine.create();
                SyncEvent event = SyncEvent.builder(device)
                        .publisher(SyncLocation.REMOTE_NET)
                        .subscriber(SyncLocation.CPU)
                        .start();
                RdmaContext rdma = flags.context(device, Access.RDMA_READ.plus(Access.RDMA_WRITE), 1)
                        .start(engine);
                Link link = flags.link(Role.RESPONDER, rdma)) {
            link.offer(event);
            link.connect(1);

            LOG.info("Waiting for sync event to be signaled from remote");
            awaitAtLeast(EventValues.REQUESTED, event, link);
            LOG.info("Signaling sync event");
            event.set(EventValues.ANSWERED);
            LOG.info("Waiting for sync event to be notified for completion");
            awaitAtLeast(EventValues.COMPLETE, event, link);

            link.await("done", Link.Prompt.NONE);
            link.disconnect();
            rdma.stop();
        }
    }

    private void awaitAtLeast(long value, SyncEvent event, Link link) throws InterruptedException {
        try {
            event.newWait()
                    .timeout(flags.timeout())
                    .idle(() -> new PeerWatch(link))
                    .untilGreaterThan(value - 1);
        } catch (TimeoutException e) {
            throw new SampleException("Waiting for sync event failed: " + e.getMessage());
        }
    }
}
