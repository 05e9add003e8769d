/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.remote;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.memory.MmapExport;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.PeerJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A process on the host that serves commands, one a line: {@code export <bytes> <access>} replaces the previous export,
 * {@code check <seed>} compares its bytes with those of a seed, and there are {@code close} and {@code resources}.
 */
final class HostMemory {

    private final Device device;
    private @Nullable Mmap map;

    private HostMemory(Device device) {
        this.device = device;
    }

    /** Starts such a process. */
    static PeerJvm start() {
        return peer(DocaEmulator.Role.HOST).start(HostMemory.class);
    }

    /** Configures a process with a constant number of threads. */
    static PeerJvm peer(DocaEmulator.Role role) {
        return PeerJvm.create()
                .role(role)
                .options("-XX:-UseDynamicNumberOfCompilerThreads", "-Xmx128m")
                .without("logback");
    }

    /** Makes the host export memory in place of its previous export. */
    static MmapExport export(PeerJvm host, long bytes, String access) throws InterruptedException {
        return MmapExport.parse(Base64.getDecoder().decode(host.ask("export " + bytes + " " + access)));
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Device device = Device.open(DeviceFilter.any())) {
            HostMemory memory = new HostMemory(device);
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                System.out.println(memory.answer(line.split(" ", -1)));
            }
            memory.close();
        }
    }

    private String answer(String[] words) throws IOException {
        return switch (words[0]) {
            case "export" -> export(Long.parseLong(words[1]), words[2]);
            case "check" -> String.valueOf(Pattern.isIn(exported().segment(), Integer.parseInt(words[1])));
            case "close" -> close();
            case "resources" -> Resources.now().print();
            default -> throw new IllegalArgumentException(words[0]);
        };
    }

    /** Exports memory filled with the bytes of seed 1. */
    private String export(long bytes, String access) {
        close();
        Mmap made = Mmap.allocate(
                device, bytes, access.equals("PCI_READ_WRITE") ? Access.PCI_READ_WRITE : Access.PCI_READ_ONLY);
        map = made;
        Pattern.fill(made.segment(), 1);
        return Base64.getEncoder().encodeToString(made.exportPci(device).toBytes());
    }

    private String close() {
        if (map != null) {
            map.close();
            map = null;
        }
        return "closed";
    }

    private Mmap exported() {
        if (map == null) {
            throw new IllegalStateException("Nothing is exported");
        }
        return map;
    }
}
