/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.DocaException;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.Mmap;
import io.docajava.core.memory.MmapExport;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncEventExport;
import io.docajava.core.sync.SyncLocation;
import io.docajava.ffi.DocaLibrary;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Exports or imports with the libraries of one release, and prints the reason of a refusal. */
final class GenerationProbe {

    private GenerationProbe() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[1]);
        try (Device device = Device.open(DeviceFilter.any())) {
            switch (arguments[0]) {
                case "libraries" -> System.out.println(DocaLibrary.load().libraryPath("common"));
                case "append" -> append(device);
                case "export memory" -> exportMemory(device, folder);
                case "export" -> {
                    exportMemory(device, folder);
                    exportEvent(device, folder);
                }
                case "import memory" -> importMemory(device, folder);
                case "import" -> {
                    importMemory(device, folder);
                    report(() -> SyncEvent.fromExport(device, SyncEventExport.load(folder.resolve("event"))));
                }
                default -> report(() -> DmaContext.builder(device).start(ProgressEngine.create()));
            }
        }
    }

    private static void append(Device device) throws Exception {
        try (Mmap map = Mmap.allocate(device, 64, Access.LOCAL_READ_WRITE);
                BufInventory inventory = BufInventory.create(2);
                Buf source = inventory.data(map, 0, 2);
                Buf target = inventory.space(map, 32, 6);
                ProgressEngine engine = ProgressEngine.create();
                DmaContext dma = DmaContext.builder(device).start(engine)) {
            for (String text : List.of("ab", "cd", "ef")) {
                byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
                MemorySegment.copy(MemorySegment.ofArray(bytes), 0, map.segment(), 0, bytes.length);
                dma.copy(source, target).await();
                long length = target.dataLength();
                byte[] written = map.segment().asSlice(32, length).toArray(ValueLayout.JAVA_BYTE);
                System.out.println(length + " bytes: " + new String(written, StandardCharsets.US_ASCII));
            }
        }
    }

    /** Exports for the DPU. No importing process is needed, as the files are refused. */
    private static void exportMemory(Device device, Path folder) throws Exception {
        try (Mmap map = Mmap.allocate(device, 4096, Access.PCI_READ_WRITE.plus(Access.LOCAL_READ_WRITE))) {
            map.exportPci(device).save(folder.resolve("memory"));
        }
    }

    private static void exportEvent(Device device, Path folder) throws Exception {
        try (SyncEvent event = SyncEvent.builder(device)
                .publisher(SyncLocation.CPU)
                .subscriber(SyncLocation.REMOTE_PCI)
                .start()) {
            event.exportPci(device).save(folder.resolve("event"));
        }
    }

    private static void importMemory(Device device, Path folder) throws Exception {
        report(() -> Mmap.fromExport(device, MmapExport.load(folder.resolve("memory"))));
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
