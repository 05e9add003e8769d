/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.memory.MmapExport;
import io.docajava.dma.TestJvm;
import io.docajava.emulator.EmulatorEnvironment;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A host in a process of its own, which exports memory full of sevens and does nothing more until its input ends. */
final class Exporter implements AutoCloseable {

    static final long BYTES = 1 << 20;

    private final Process process;
    private final MmapExport export;

    Exporter(Path folder) throws IOException {
        Path file = folder.resolve("export");
        ProcessBuilder builder = new ProcessBuilder(TestJvm.command(List.of(), Exporter.class, file.toString()));
        builder.environment()
                .keySet()
                .removeIf(name -> name.startsWith("DOCA_") && !name.equals("DOCA_EMULATOR_RELEASE"));
        builder.environment().put(EmulatorEnvironment.ROLE, "host");
        process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        assertThat(output.readLine()).isEqualTo("exported");
        export = MmapExport.load(file);
    }

    /** What runs in the process. */
    public static void main(String[] arguments) throws IOException {
        try (Device device = Device.open(DeviceFilter.pciAddress("0b:00.0"));
                Mmap memory = Mmap.allocate(device, BYTES, Access.LOCAL_READ_WRITE.and(Access.PCI_READ_WRITE))) {
            memory.segment().fill((byte) 7);
            memory.exportPci(device).save(Path.of(arguments[0]));
            System.out.println("exported");
            System.in.transferTo(System.err);
        }
    }

    MmapExport export() {
        return export;
    }

    /** Waits for the end that is to come. */
    int exitCode() throws InterruptedException {
        return process.waitFor();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        process.onExit().join();
    }
}
