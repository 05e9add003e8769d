/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.context.ContextState;
import io.docajava.core.graph.ContextNode;
import io.docajava.core.graph.Graph;
import io.docajava.core.graph.GraphBuilder;
import io.docajava.core.graph.GraphInstance;
import io.docajava.core.progress.Completion;
import io.docajava.ffi.DocaFunctionException;
import io.docajava.ffi.DocaLibrary;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.PeerJvm;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests a release with one connection per RDMA context, which a translation layer in C adapts. */
@Timeout(600)
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

    /** The SDK runs a context with the first progress after its connect. */
    @Test
    void aConnectCompletesWithTheNextProgress(PeerJvm probe) throws Exception {
        probe.environment("DOCA_EMULATOR_RELEASE", "2.5").start(test -> test.send(connectTwice()));

        assertThat(probe.receive())
                .isEqualTo("CONNECTING, then ESTABLISHED; again CONNECTING, then ESTABLISHED, 8 written");
    }

    private static String connectTwice() throws Exception {
        try (RdmaLab lab = new RdmaLab()) {
            stop(lab);
            String first = connect(lab);
            stop(lab);
            String second = connect(lab);
            long bytes = lab.get(lab.connection.write(lab.here.filled(0, 8), lab.remote.range(0, 8)));
            return first + "; again " + second + ", " + bytes + " written";
        }
    }

    private static String connect(RdmaLab lab) throws Exception {
        lab.here.rdma.restart();
        lab.there.rdma.restart();
        lab.connection = lab.here.rdma.prepareConnection();
        lab.back = lab.there.rdma.prepareConnection();
        Completion<RdmaConnection> going = lab.connection.connect(lab.back.details());
        String before = going.isDone() ? "done" : lab.connection.state().toString();
        Completion<RdmaConnection> coming = lab.back.connect(lab.connection.details());
        lab.get(going);
        lab.get(coming);
        return before + ", then " + lab.connection.state();
    }

    /** The task of the translation has the same address before and after the restart, but the task of the SDK is another one. */
    @Test
    void graphsRunTheTaskThatWasSetAfterARestart(PeerJvm probe) throws Exception {
        probe.environment("DOCA_EMULATOR_RELEASE", "2.5")
                .start(test -> test.send("wrote " + runAfterRestart() + " bytes"));

        assertThat(probe.receive()).isEqualTo("wrote 64 bytes");
    }

    /** The SDK starts graphs only when it runs their contexts, which completes a connect. */
    private static long runAfterRestart() throws Exception {
        try (RdmaLab lab = new RdmaLab()) {
            GraphBuilder plan = Graph.builder(lab.engine);
            ContextNode node = plan.context("write", lab.here.rdma);
            try (Graph graph = plan.start();
                    GraphInstance instance = graph.instance()) {
                run(lab, instance, node, 5000);
                restart(lab);
                return run(lab, instance, node, 6000);
            }
        }
    }

    private static long run(RdmaLab lab, GraphInstance instance, ContextNode node, int offset) throws Exception {
        RdmaOperation operation = RdmaOperation.write(lab.here.filled(0, 64), lab.remote.range(offset, 64));
        try (RdmaTask write = lab.connection.task(operation)) {
            lab.get(instance.set(node, write).submit());
            lab.assertSame(0, offset, 64);
            return write.result();
        }
    }

    private static void stop(RdmaLab lab) throws Exception {
        lab.here.rdma.stop();
        lab.there.rdma.stop();
        lab.await(() -> lab.here.rdma.state() == ContextState.IDLE && lab.there.rdma.state() == ContextState.IDLE);
    }

    private static void restart(RdmaLab lab) throws Exception {
        stop(lab);
        lab.here.rdma.restart();
        lab.there.rdma.restart();
        lab.reconnect();
    }

    /** Runs with the libraries of that release. */
    public static void main(String[] arguments) throws Exception {
        DocaLibrary library = DocaLibrary.load();
        System.out.println(library.version() + " by "
                + Path.of(library.translationPath().orElseThrow()).getFileName());
        try (RdmaLab lab = new RdmaLab()) {
            System.out.println(transfer(lab));
            restart(lab);
            System.out.println("after a restart: " + transfer(lab));
        }
        try {
            library.require("doca_rdma_connect_to_addr");
        } catch (DocaFunctionException e) {
            System.out.println(String.valueOf(e.getMessage()).replace(library.libraryPath("rdma"), "FILE"));
        }
    }

    private static String transfer(RdmaLab lab) throws Exception {
        Completion<Received> receive = lab.there.rdma.receive(lab.there.memory.range(100, 50));
        return "sent " + lab.get(lab.connection.send(lab.here.filled(0, 20)))
                + ", received " + lab.get(receive).length()
                + ", read " + lab.get(lab.connection.read(lab.remote.range(5000, 40), lab.here.memory.range(100, 40)))
                + ", wrote " + lab.get(lab.connection.write(lab.here.filled(0, 50), lab.remote.range(6000, 50)));
    }
}
