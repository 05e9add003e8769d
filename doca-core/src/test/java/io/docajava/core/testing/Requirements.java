/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.testing;

import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.device.Device;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.Mmap;
import io.docajava.core.memory.MmapExport;
import io.docajava.core.sync.SyncEventCapabilities;
import io.docajava.core.sync.SyncEventTaskType;
import io.docajava.ffi.DocaLibrary;

/** Skips tests if the loaded libraries or their devices lack a required feature. */
public final class Requirements {

    private Requirements() {}

    /** Requires a function of the SDK, by its C name. */
    public static void function(String name) {
        assumeTrue(DocaLibrary.load().has(name), () -> "the SDK has no " + name);
    }

    /** Requires a separate log of the SDK that has more than errors. Releases before 2.5 have one common log. */
    public static void ownLog() {
        function("doca_log_backend_create_with_file_sdk");
    }

    /** Requires log records about refusals of the SDK. NVIDIA's 2.2 writes none. */
    public static void loggedRefusals(Device device) {
        try (Mmap map = Mmap.fromExport(device, MmapExport.of(new byte[] {1, 2, 3}, 4096, 4096))) {
            throw new AssertionError(map + " is from a damaged export");
        } catch (DocaCallException refused) {
            assumeTrue(
                    String.valueOf(refused.getMessage()).matches(".* failed with \\w+ \\([^)]*\\): .+"),
                    "the SDK does not log why it refuses an export");
        }
    }

    /** Requires memory with this access, which some releases do not support. */
    public static void access(Device device, Access access) {
        try (Mmap map = Mmap.allocate(device, 64, access)) {
            assumeTrue(map.access().includes(access));
        } catch (DocaCallException refused) {
            assumeTrue(refused.error() != DocaError.INVALID_VALUE, () -> "the SDK has no access " + access);
            throw refused;
        }
    }

    /** Requires empty buffers at the end of memory, which release 2.2 refuses. */
    public static void emptyBufferAtTheEnd(Mmap memory) {
        try (BufInventory inventory = BufInventory.create(1);
                Buf buf = inventory.data(memory, memory.byteSize(), 0)) {
            assumeTrue(buf.length() == 0);
        } catch (DocaCallException refused) {
            assumeTrue(refused.error() != DocaError.INVALID_VALUE, "the SDK has no empty buffers at the end of memory");
            throw refused;
        }
    }

    /** Returns the release that the emulator has to imitate. */
    public static String emulatedRelease() {
        String release = System.getenv("DOCA_EMULATOR_RELEASE");
        return release == null ? "3.0" : release;
    }

    /** Requires that tasks on the first device can wait for the value of a sync event. */
    public static void waitingTasks() {
        assumeTrue(hasTasks(SyncEventTaskType.WAIT_EQUAL), "the device offers no tasks that wait for a sync event");
    }

    /** Requires that tasks on the first device can wait until a sync event is greater than a number. */
    public static void greaterTasks() {
        assumeTrue(
                hasTasks(SyncEventTaskType.WAIT_GREATER), "the device offers no tasks that wait for a greater value");
    }

    /** Requires that no tasks can wait until a sync event is greater than a number. */
    public static void noGreaterTasks() {
        assumeFalse(hasTasks(SyncEventTaskType.WAIT_GREATER), "the device offers tasks that wait for a greater value");
    }

    private static boolean hasTasks(SyncEventTaskType type) {
        return SyncEventCapabilities.of(Device.list().getFirst()).tasks().contains(type);
    }
}
