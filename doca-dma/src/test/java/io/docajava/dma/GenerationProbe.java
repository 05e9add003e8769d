/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.DocaException;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.memory.MmapExport;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncEventExport;
import io.docajava.core.sync.SyncLocation;
import io.docajava.ffi.DocaLibrary;
import java.nio.file.Path;

/** Exports or imports with the libraries of one release, and prints the reason of a refusal. */
final class GenerationProbe {

    private GenerationProbe() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[1]);
        try (Device device = Device.open(DeviceFilter.any())) {
            switch (arguments[0]) {
                case "libraries" -> System.out.println(DocaLibrary.load().libraryPath("common"));
                case "export" -> export(device, folder);
                case "import" -> {
                    report(() -> Mmap.fromExport(device, MmapExport.load(folder.resolve("memory"))));
                    report(() -> SyncEvent.fromExport(device, SyncEventExport.load(folder.resolve("event"))));
                }
                default -> report(() -> DmaContext.builder(device).start(ProgressEngine.create()));
            }
        }
    }

    /** Exports for the DPU. No importing process is needed, as the files are refused. */
    private static void export(Device device, Path folder) throws Exception {
        Access access = Access.PCI_READ_WRITE.and(Access.LOCAL_READ_WRITE);
        try (Mmap map = Mmap.allocate(device, 4096, access);
                SyncEvent event = SyncEvent.builder(device)
                        .publisher(SyncLocation.CPU)
                        .subscriber(SyncLocation.REMOTE_PCI)
                        .start()) {
            map.exportPci(device).save(folder.resolve("memory"));
            event.exportPci(device).save(folder.resolve("event"));
        }
    }

    private interface Attempt {
        Object run() throws Exception;
    }

    private static void report(Attempt attempt) throws Exception {
        try {
            System.out.println(attempt.run() + " is there");
        } catch (DocaException refused) {
            System.out.println(refused.getClass().getSimpleName() + ": " + refused.getMessage());
        }
    }
}
