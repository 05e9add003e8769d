/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.emulator.EmulatorEnvironment;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.Await;
import io.docajava.testing.FullTests;
import io.docajava.testing.Work;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tests a client whose servers are killed while it sends: each message is handled once, whatever the result of its send. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
@EnabledIfEnvironmentVariable(named = EmulatorEnvironment.ROLE, matches = "host")
class CommClientRestartedServerTest {

    private static final int TOTAL = FullTests.amount(20_000, 40_000);

    @Test
    void eachMessageIsHandledOnceAndInOrder(@TempDir Path folder) {
        long seed = Long.getLong("doca.seed", ThreadLocalRandom.current().nextLong());
        try {
            ResumingSender sender = new ResumingSender(TOTAL);
            sendAll(sender, KilledReceivers.randomKills(sender, new Random(seed)), folder.resolve("journal"));
        } catch (Throwable failure) {
            throw new AssertionError("With -Ddoca.seed=" + seed, failure);
        }
    }

    @Test
    void receiversThatAreKilledAtOnceHandleNothing(@TempDir Path folder) throws Exception {
        sendAll(new ResumingSender(2000), new long[] {1000, 1000, 1000}, folder.resolve("journal"));
    }

    private static void sendAll(ResumingSender sender, long[] kills, Path journal) throws Exception {
        String name = ServerLab.uniqueName();
        List<Throwable> reported = new CopyOnWriteArrayList<>();
        try (Device device = Device.open(DeviceFilter.pciAddress("0b:00.0"));
                ProgressLoop loop =
                        ProgressLoop.builder().errorHandler(reported::add).start();
                KilledReceivers servers = new KilledReceivers(() -> Peer.start(DocaEmulator.Role.DPU), name, journal)) {
            AtomicReference<@Nullable CommClient> started = new AtomicReference<>();
            servers.receiveAll(sender, kills, () -> {
                CommClient client = Await.result(
                        loop.call(engine -> start(started, engine, device, name, sender)), "the start of the client");
                Await.result(Work.on(loop, () -> client.whenConnected()), "the connection of the client");
            });
        }
        sender.check(journal);
        assertThat(reported).isEmpty();
    }

    /** Starts the client when there is a server, and restarts it for later servers. */
    private static CommClient start(
            AtomicReference<@Nullable CommClient> started,
            ProgressEngine engine,
            Device device,
            String name,
            ResumingSender sender) {
        CommClient client = started.get();
        if (client == null) {
            client = CommClient.builder(device, name)
                    .maxSends(32)
                    .connectionListener(sender)
                    .start(engine, sender);
            started.set(client);
        } else {
            client.restart();
        }
        return client;
    }
}
