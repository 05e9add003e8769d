/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.testing;

import io.docajava.ffi.DocaLibrary;
import io.docajava.ffi.NativeEmulator;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.generated.dma.DocaDma;
import io.docajava.ffi.generated.rdma.DocaRdma;
import io.docajava.ffi.hot.TaskCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;

/** Executes the requests in its arguments in a separate JVM, and prints their results. */
public final class LoadingProbe {

    private static final Map<String, Supplier<Object>> CALLS = Map.of(
            "generated", () -> DocaCommon.doca_pe_destroy(MemorySegment.NULL),
            "by-value", () -> DocaCommon.doca_task_get_user_data(Arena.global(), MemorySegment.NULL),
            "hot", () -> TaskCalls.submit(0),
            "dma", () -> DocaDma.doca_dma_destroy(MemorySegment.NULL),
            "rdma-export",
                    () -> DocaRdma.doca_rdma_export(
                            MemorySegment.NULL, MemorySegment.NULL, MemorySegment.NULL, MemorySegment.NULL),
            "rdma-destroy", () -> DocaRdma.doca_rdma_destroy(MemorySegment.NULL));

    private LoadingProbe() {}

    /** Takes requests such as {@code load}, {@code has doca_dma_create} or {@code call hot}. */
    public static void main(String[] arguments) {
        for (String argument : arguments) {
            String[] words = argument.split(" ", -1);
            String rest = words.length > 1 ? words[1] : "";
            print(() -> switch (words[0]) {
                case "load" -> {
                    DocaLibrary library = DocaLibrary.load();
                    yield library.backend() + " " + library.version();
                }
                case "path" -> DocaLibrary.load().libraryPath(rest);
                case "has" -> DocaLibrary.load().has(rest);
                case "require" -> {
                    DocaLibrary.load().require(rest);
                    yield "there";
                }
                case "rename" -> {
                    Path folder = Path.of(System.getProperty("doca.library.path"));
                    yield folder.resolve(rest)
                                    .toFile()
                                    .renameTo(folder.resolve(words[2]).toFile())
                            ? "renamed"
                            : "not renamed";
                }
                case "faults" -> {
                    NativeEmulator.setFaults(rest);
                    yield "set";
                }
                case "call" -> CALLS.getOrDefault(rest, () -> "no such call").get();
                default -> throw new IllegalArgumentException(argument);
            });
        }
    }

    private static void print(Supplier<Object> action) {
        try {
            System.out.println(action.get());
        } catch (RuntimeException | Error e) {
            System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
}
