/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.device.DeviceRepresentor;
import io.docajava.core.device.RepresentorFilter;
import io.docajava.core.graph.Graph;
import io.docajava.core.graph.GraphBuilder;
import io.docajava.core.graph.GraphInstance;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.BufPool;
import io.docajava.core.memory.Mmap;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncEventContext;
import io.docajava.core.sync.SyncLocation;
import io.docajava.core.testing.ChildJvm;
import io.docajava.testing.NeedsEmulator;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that sleeping, waking, stopping and closing initialize no bindings, which a full heap would make unusable for ever. */
@NeedsEmulator
@Timeout(600)
class PreparedClassesTest {

    @Test
    void nothingIsInitializedAfterTheCreation() throws Exception {
        List<String> output = new ChildJvm().option("-Xlog:class+init=info").run(Probe.class);
        List<String> after = output.subList(output.indexOf("created"), output.indexOf("closed"));
        assertThat(after)
                .filteredOn(line -> line.contains("Initializing 'io/docajava/ffi/") && !line.contains("(no method)"))
                .isEmpty();
        assertThat(output).anyMatch(line -> line.contains("Initializing 'io/docajava/ffi/"));
    }

    /** Runs in a JVM of its own. */
    static final class Probe {

        private Probe() {}

        @SuppressWarnings("try") // closed, not used
        public static void main(String[] arguments) throws Exception {
            try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
                    Mmap memory = Mmap.allocate(device, 4096, Access.LOCAL_READ_WRITE);
                    DeviceRepresentor representor =
                            DeviceRepresentor.open(device, RepresentorFilter.pciAddress("0b:00.0"));
                    ProgressEngine engine = ProgressEngine.create();
                    BufInventory buffers = BufInventory.create(1);
                    BufPool pool = BufPool.create(memory, 1, 64);
                    Buf taken = pool.take();
                    SyncEventContext event = SyncEvent.builder(device)
                            .publisher(SyncLocation.CPU)
                            .subscriber(SyncLocation.CPU)
                            .tasks()
                            .start(engine);
                    Graph graph = graph(engine, event);
                    GraphInstance instance = graph.instance()) {
                System.out.println("created");
                engine.awaitEvent(Duration.ofMillis(1));
                engine.wakeUp();
                engine.awaitEvent(Duration.ofSeconds(10));
                event.stop();
            }
            System.out.println("closed");
        }

        private static Graph graph(ProgressEngine engine, SyncEventContext event) {
            GraphBuilder builder = Graph.builder(engine);
            builder.context(event);
            return builder.start();
        }
    }
}
