/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.memory.MmapExport;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.PeerJvm;
import java.io.IOException;
import java.nio.file.Path;

/** A host in a separate process, which exports memory filled with sevens and waits until its input ends. */
final class Exporter implements AutoCloseable {

    static final long BYTES = 1 << 20;

    private final PeerJvm peer = PeerJvm.create();
    private final MmapExport export;

    Exporter(Path folder) throws IOException, InterruptedException {
        Path file = folder.resolve("export");
        peer.role(DocaEmulator.Role.HOST).without("logback").start(Exporter.class, file.toString());
        assertThat(peer.receive()).isEqualTo("exported");
        export = MmapExport.load(file);
    }

    /** Runs in the separate process. */
    public static void main(String[] arguments) throws IOException {
        try (Device device = Device.open(DeviceFilter.pciAddress("0b:00.0"));
                Mmap memory = Mmap.allocate(device, BYTES, Access.LOCAL_READ_WRITE.plus(Access.PCI_READ_WRITE))) {
            memory.segment().fill((byte) 7);
            memory.exportPci(device).save(Path.of(arguments[0]));
            System.out.println("exported");
            System.in.transferTo(System.err);
        }
    }

    MmapExport export() {
        return export;
    }

    /** Waits for the expected end of the process. */
    int exitCode() throws InterruptedException {
        return peer.await();
    }

    boolean isAlive() {
        return peer.process().isAlive();
    }

    @Override
    public void close() {
        peer.close();
    }
}
