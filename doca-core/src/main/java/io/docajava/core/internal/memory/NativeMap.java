/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.lifecycle.Undo;
import io.docajava.core.memory.Access;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.internal.NativeLoading;
import io.docajava.ffi.internal.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** The native {@code doca_mmap} of a map. */
public record NativeMap(long address) {

    @FunctionalInterface
    interface ExportFunction {
        int apply(MemorySegment map, MemorySegment device, MemorySegment descriptor, MemorySegment length);
    }

    /** A range of addresses in the process that owns the memory of a map. */
    public record Range(long address, long length) {

        /** Returns whether this range contains another one. Addresses are unsigned, and neither range exceeds 64 bits. */
        boolean contains(long otherAddress, long otherLength) {
            return Long.compareUnsigned(otherAddress, address) >= 0
                    && Long.compareUnsigned(otherAddress + otherLength, address + length) <= 0;
        }
    }

    /** Maps {@code mapped} bytes from the beginning of the memory for devices; no other object uses those behind its end. */
    static NativeMap start(long[] devices, MemorySegment memory, long mapped, Access access) {
        String attempt = "mapping " + memory.byteSize() + " bytes";
        NativeMap map = create(attempt);
        try {
            MemorySegment pointer = map.pointer();
            Calls.check(map.enableThreadSafety(), "doca_mmap_enable_thread_safety", attempt);
            if (devices.length > 1) {
                Calls.check(
                        DocaCommon.doca_mmap_set_max_num_devices(pointer, devices.length),
                        "doca_mmap_set_max_num_devices",
                        attempt + " for " + devices.length + " devices");
            }
            for (long device : devices) {
                Calls.check(
                        DocaCommon.doca_mmap_add_dev(pointer, MemorySegment.ofAddress(device)),
                        "doca_mmap_add_dev",
                        attempt);
            }
            Calls.check(
                    DocaCommon.doca_mmap_set_permissions(pointer, access.flags()),
                    "doca_mmap_set_permissions",
                    attempt + " with access " + access);
            Calls.check(DocaCommon.doca_mmap_set_memrange(pointer, memory, mapped), "doca_mmap_set_memrange", attempt);
            map.register(mapped, attempt);
        } catch (Throwable failure) {
            map.undo(failure);
            throw failure;
        }
        return map;
    }

    /** Starts the map, which registers its memory with the devices. */
    private void register(long mapped, String attempt) {
        try {
            Calls.check(DocaCommon.doca_mmap_start(pointer()), "doca_mmap_start", attempt);
        } catch (DocaCallException e) {
            throw LockLimitException.explain(e, mapped, LockLimit.ofThisProcess());
        }
    }

    static NativeMap fromExport(long device, byte[] descriptor, String attempt) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment out = scratch.allocate(ADDRESS);
            Calls.check(
                    DocaCommon.doca_mmap_create_from_export(
                            MemorySegment.NULL,
                            scratch.allocateFrom(JAVA_BYTE, descriptor),
                            descriptor.length,
                            MemorySegment.ofAddress(device),
                            out),
                    "doca_mmap_create_from_export",
                    attempt);
            NativeMap map = new NativeMap(out.get(ADDRESS, 0).address());
            // This map is started already, so a release may refuse the call; the SDK then counts the buffers itself.
            Calls.probe(map::enableThreadSafety);
            return map;
        }
    }

    private static NativeMap create(String attempt) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment out = scratch.allocate(ADDRESS);
            Calls.prepare(DocaCommon.doca_mmap_destroy$handle());
            Calls.check(DocaCommon.doca_mmap_create(out), "doca_mmap_create", attempt);
            return new NativeMap(out.get(ADDRESS, 0).address());
        }
    }

    /**
     * Lets threads take and return buffers of the map concurrently, each with its own inventory. By default the SDK counts them
     * without a lock; after this call it does not count them. doca-java counts them in any case. Releases before 2.10 lack it.
     */
    private int enableThreadSafety() {
        return NativeLoading.sdk().has("doca_mmap_enable_thread_safety")
                ? DocaCommon.doca_mmap_enable_thread_safety(pointer())
                : DocaError.SUCCESS.code();
    }

    private MemorySegment pointer() {
        return MemorySegment.ofAddress(address);
    }

    /** Returns the mapped range, in the addresses of the process that owns it. */
    public Range range(String attempt) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment first = scratch.allocate(JAVA_LONG);
            MemorySegment length = scratch.allocate(JAVA_LONG);
            Calls.check(DocaCommon.doca_mmap_get_memrange(pointer(), first, length), "doca_mmap_get_memrange", attempt);
            return new Range(first.get(JAVA_LONG, 0), length.get(JAVA_LONG, 0));
        }
    }

    /** Returns the mapped range; empty for imported memory before DOCA 2.0, which does not report its range. */
    Optional<Range> knownRange(String attempt) {
        return Calls.probe(() -> {
            try {
                return Optional.of(range(attempt));
            } catch (DocaCallException e) {
                if (e.error() != DocaError.NOT_SUPPORTED) {
                    throw e;
                }
                return Optional.empty();
            }
        });
    }

    /** Returns a copy of the descriptor, since the SDK frees the original with the map. */
    byte[] export(ExportFunction function, String name, long device, String attempt) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment descriptor = scratch.allocate(ADDRESS);
            MemorySegment length = scratch.allocate(JAVA_LONG);
            Calls.check(function.apply(pointer(), MemorySegment.ofAddress(device), descriptor, length), name, attempt);
            return NativeMemory.ofAddress(descriptor.get(ADDRESS, 0).address(), length.get(JAVA_LONG, 0))
                    .toArray(JAVA_BYTE);
        }
    }

    int mkey(long device, String attempt) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment key = scratch.allocate(JAVA_INT);
            Calls.check(
                    DocaCommon.doca_mmap_get_mkey(pointer(), MemorySegment.ofAddress(device), key),
                    "doca_mmap_get_mkey",
                    attempt);
            return key.get(JAVA_INT, 0);
        }
    }

    /** Stops and destroys the map, and returns the {@code doca_error_t}. */
    public int destroy() {
        return DocaCommon.doca_mmap_destroy(pointer());
    }

    void undo(Throwable failure) {
        Undo.after(failure, () -> Calls.check(destroy(), "doca_mmap_destroy", "undoing the failed mapping"));
    }
}
