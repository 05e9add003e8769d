/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.core.device.Device;
import io.docajava.core.memory.Access;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.sync.RemoteSyncEvent;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaContext;
import io.docajava.rdma.RdmaOperation;
import io.docajava.rdma.RdmaTaskType;
import io.docajava.samples.cli.Sample;
import io.docajava.samples.cli.SampleException;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Signals a sync event of a peer, and reads it until the peer has signaled back. */
@Command(
        name = "rdma_sync_event_requester",
        sortOptions = false,
        description = "Sets and reads the sync event of rdma_sync_event_responder")
public final class RdmaSyncEventRequester implements Sample {

    private static final Logger LOG = LoggerFactory.getLogger(RdmaSyncEventRequester.class);

    @Mixin
    private PeerFlags flags;

    @Override
    public void run() throws IOException, InterruptedException {
        try (Device device = flags.open(RdmaTaskType.EVENT_SET);
                ProgressEngine engine = ProgressEngine.create();
                RdmaContext rdma =
                        flags.context(device, Access.LOCAL_READ_WRITE, 1).start(engine);
                Link link = flags.link(Role.REQUESTER, rdma)) {
            RdmaConnection responder = link.connect(1).getFirst();

            try (RemoteSyncEvent event = link.importEvent()) {
                LOG.info("Signaling remote sync event");
                set(responder, event, EventValues.REQUESTED, link);
                LOG.info("Remote sync event has been signaled successfully, now waiting for remote sync event to be"
                        + " signaled");
                awaitAnswer(responder, event, link);
                LOG.info("Notifying remote sync event for completion");
                set(responder, event, EventValues.COMPLETE, link);
                LOG.info("Remote sync event has been notified for completion successfully");
            }

            link.sendWord("done");
            link.disconnect();
            rdma.stop();
        }
    }

    private static void set(RdmaConnection responder, RemoteSyncEvent event, long value, Link link)
            throws InterruptedException {
        link.checkPeer();
        link.await(responder.submit(RdmaOperation.setEvent(event, value)));
        LOG.info("RDMA remote net sync event notify set was done successfully");
    }

    /** Polls the event until the answer, because changes are not signaled; logs each value once. */
    private void awaitAnswer(RdmaConnection responder, RemoteSyncEvent event, Link link) throws InterruptedException {
        long began = System.nanoTime();
        long last = EventValues.COMPLETE;
        do {
            link.checkPeer();
            long value = link.await(responder.submit(RdmaOperation.getEvent(event)));
            if (value != last) {
                LOG.info("RDMA remote net sync event get was done successfully");
                LOG.info("Received sync event value 0x{}", "%X".formatted(value));
                last = value;
            } else if (System.nanoTime() - began > flags.timeout().toNanos()) {
                throw new SampleException("The responder has not signaled its sync event for "
                        + flags.timeout().toSeconds() + " s: it is still 0x" + "%X".formatted(value));
            }
        } while (Long.compareUnsigned(last, EventValues.ANSWERED) < 0);
    }
}
