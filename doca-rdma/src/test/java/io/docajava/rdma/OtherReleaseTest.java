/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.docajava.core.memory.Mmap;
import io.docajava.core.memory.MmapExport;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.ffi.DocaLibrary;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.PeerJvm;
import io.docajava.testing.Await;
import java.util.HexFormat;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that processes with libraries of different releases refuse each other's exports and connection details. */
@Timeout(600)
@DocaEmulator
class OtherReleaseTest {

    private static final HexFormat HEX = HexFormat.of();
    private static final String REFUSED_MEMORY =
            "Importing Mmap of 1048576 bytes imported on 0000:03:00.0 (mlx5_0): doca_mmap_create_from_export failed with "
                    + "DOCA_ERROR_INVALID_VALUE (Invalid input): Failed to import memory: "
                    + "the descriptor is of libraries of release %s, and these are of %s";
    private static final String REFUSED_DETAILS =
            "Connecting the RDMA context on 0000:03:00.0 (mlx5_0): doca_rdma_connect failed with "
                    + "DOCA_ERROR_CONNECTION_ABORTED (Connection aborted): Failed to connect: "
                    + "the descriptor is of libraries of release %s, and these are of %s";

    @ParameterizedTest
    @ValueSource(strings = {"3.0", "2.5", "2.2"})
    void refusesExportsAndConnectionDetails(String release, PeerJvm peer) throws Exception {
        String own = DocaLibrary.load().version().toString().substring(0, 3);
        // Later ones have the same ABI.
        String abi = own.startsWith("3.") ? "3.0" : own;
        assumeFalse(abi.equals(release), "this is the release of the tests");
        peer.environment("DOCA_EMULATOR_RELEASE", release).start(test -> {
            try (Exporter exporter = new Exporter()) {
                test.send(exporter.memory());
                test.send(exporter.details());
                test.send(exporter.refusalOfMemory(requireNonNull(test.receive())));
                test.send(exporter.refusalOfDetails(requireNonNull(test.receive())));
            }
        });
        try (Exporter exporter = new Exporter()) {
            assertThat(exporter.refusalOfMemory(peer.receive())).isEqualTo(REFUSED_MEMORY, release, own);
            assertThat(exporter.refusalOfDetails(peer.receive())).isEqualTo(REFUSED_DETAILS, release, own);
            assertThat(peer.ask(exporter.memory())).isEqualTo(REFUSED_MEMORY, abi, release);
            assertThat(peer.ask(exporter.details())).isEqualTo(REFUSED_DETAILS, abi, release);
        }
    }

    /** A process with memory and a prepared connection to its peer. */
    private static final class Exporter implements AutoCloseable {

        private final ProgressEngine engine = ProgressEngine.create();
        private final Side side = new Side("mlx5_0", engine, builder -> builder, Side.ALL);
        private final RdmaConnection connection = side.rdma.prepareConnection();

        String memory() {
            return HEX.formatHex(side.memory.exportRdma(side.device).toBytes());
        }

        String details() {
            return HEX.formatHex(connection.details().bytes());
        }

        String refusalOfMemory(String export) {
            return refusal(() -> Mmap.fromExport(side.device, MmapExport.parse(HEX.parseHex(export))));
        }

        String refusalOfDetails(String details) {
            return refusal(() -> connection
                    .connect(ConnectionDetails.of(HEX.parseHex(details)))
                    .await(Await.LIMIT));
        }

        private static String refusal(Callable<?> attempt) {
            try {
                return "no refusal: " + attempt.call();
            } catch (Exception e) {
                return String.valueOf(e.getMessage());
            }
        }

        @Override
        public void close() {
            side.close();
            engine.close();
        }
    }
}
