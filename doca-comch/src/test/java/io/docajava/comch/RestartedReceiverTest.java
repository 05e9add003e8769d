/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.device.DeviceRepresentor;
import io.docajava.core.device.RepresentorFilter;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.emulator.EmulatorEnvironment;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.Await;
import io.docajava.testing.FullTests;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tests a server whose clients are killed while it sends: each message is handled once, whatever the result of its send. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
@DisabledIfEnvironmentVariable(named = EmulatorEnvironment.ROLE, matches = "host")
class RestartedReceiverTest {

    private static final int TOTAL = FullTests.amount(20_000, 40_000);

    @Test
    void eachMessageIsHandledOnceAndInOrder(@TempDir Path folder) {
        long seed = Long.getLong("doca.seed", ThreadLocalRandom.current().nextLong());
        try {
            sendAll(new Random(seed), folder.resolve("journal"));
        } catch (Throwable failure) {
            throw new AssertionError("With -Ddoca.seed=" + seed, failure);
        }
    }

    private static void sendAll(Random random, Path journal) throws Exception {
        String name = ServerLab.uniqueName();
        ResumingSender sender = new ResumingSender(TOTAL);
        List<Throwable> reported = new CopyOnWriteArrayList<>();
        try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
                DeviceRepresentor representor =
                        DeviceRepresentor.open(device, RepresentorFilter.pciAddress("0b:00.0"));
                ProgressLoop loop =
                        ProgressLoop.builder().errorHandler(reported::add).start();
                KilledReceivers clients =
                        new KilledReceivers(() -> Peer.start(DocaEmulator.Role.HOST), name, journal)) {
            Await.result(
                    loop.call(engine -> CommServer.builder(device, representor, name)
                            .maxSends(32)
                            .connectionListener(sender)
                            .start(engine, sender)),
                    "the start of the server");

            clients.receiveAll(sender, KilledReceivers.randomKills(sender, random), () -> {});
        }
        sender.check(journal);
        assertThat(reported).isEmpty();
    }
}
