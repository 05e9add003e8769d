/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.context.ContextState;
import io.docajava.core.progress.Completion;
import io.docajava.ffi.DocaFunctionException;
import io.docajava.ffi.DocaLibrary;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.PeerJvm;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests a release with one connection per RDMA context, which a translation layer in C adapts. */
@Timeout(60)
@DocaEmulator
class OneConnectionReleaseTest {

    @Test
    void transfersRestartsAndRefuses(PeerJvm probe) throws Exception {
        probe.environment("DOCA_EMULATOR_RELEASE", "2.5").without("logback").start(OneConnectionReleaseTest.class);

        assertThat(probe.await()).as(probe.output()).isZero();
        assertThat(probe.output()).isEqualTo("""
                        2.5.0108 by libdocajava_rdma_connections.so
                        sent 20, received 20, read 40, wrote 50
                        after a restart: sent 20, received 20, read 40, wrote 50
                        doca_rdma_connect_to_addr is not in libdoca_rdma of the loaded DOCA 2.5.0108 (FILE); it came with DOCA 2.9.
                        """);
    }

    /** Runs with the libraries of that release. */
    public static void main(String[] arguments) throws Exception {
        DocaLibrary library = DocaLibrary.load();
        System.out.println(library.version() + " by "
                + Path.of(library.translationPath().orElseThrow()).getFileName());
        try (RdmaLab lab = new RdmaLab()) {
            System.out.println(transfer(lab));
            lab.here.rdma.stop();
            lab.there.rdma.stop();
            lab.await(() -> lab.here.rdma.state() == ContextState.IDLE && lab.there.rdma.state() == ContextState.IDLE);
            lab.here.rdma.restart();
            lab.there.rdma.restart();
            lab.reconnect();
            System.out.println("after a restart: " + transfer(lab));
        }
        try {
            library.require("doca_rdma_connect_to_addr");
        } catch (DocaFunctionException e) {
            System.out.println(String.valueOf(e.getMessage()).replace(library.libraryPath("rdma"), "FILE"));
        }
    }

    private static String transfer(RdmaLab lab) throws Exception {
        Completion<Received> receive = lab.there.rdma.receive(lab.there.space(100, 50));
        return "sent " + lab.get(lab.connection.send(lab.here.data(0, 20)))
                + ", received " + lab.get(receive).length()
                + ", read " + lab.get(lab.connection.read(lab.remoteData(5000, 40), lab.here.space(100, 64)))
                + ", wrote " + lab.get(lab.connection.write(lab.here.data(0, 50), lab.remoteSpace(6000, 64)));
    }
}
