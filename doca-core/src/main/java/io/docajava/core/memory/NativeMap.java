/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.DocaException;
import io.docajava.core.DocaError;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.lifecycle.Undo;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.internal.NativeLoading;
import io.docajava.ffi.internal.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The native {@code doca_mmap} of a map. */
final class NativeMap {

    private final MemorySegment pointer;

    private NativeMap(MemorySegment pointer) {
        this.pointer = pointer;
    }

    /** Returns the wrapper of an existing map. */
    static NativeMap of(long address) {
        return new NativeMap(MemorySegment.ofAddress(address));
    }

    /** A C function that exports a map as a descriptor. */
    @FunctionalInterface
    private interface ExportFunction {
        int apply(MemorySegment map, MemorySegment device, MemorySegment descriptor, MemorySegment length);
    }

    /** A range of addresses in the process that owns the memory of a map. */
    record Range(long address, long length) {

        /** Returns whether this range contains another one. Addresses are unsigned, and neither range exceeds 64 bits. */
        boolean contains(long otherAddress, long otherLength) {
            return Long.compareUnsigned(otherAddress, address) >= 0
                    && Long.compareUnsigned(otherAddress + otherLength, address + length) <= 0;
        }
    }

    /**
     * Maps memory for devices.
     *
     * @param mapped the number of bytes to map from the beginning of the memory; no other object uses the bytes behind its end
     */
    static NativeMap start(long[] devices, MemorySegment memory, long mapped, Access access) {
        String attempt = "mapping " + memory.byteSize() + " bytes";
        NativeMap map = create(attempt);
        try {
            Calls.check(map.enableThreadSafety(), "doca_mmap_enable_thread_safety", attempt);
            if (devices.length > 1) {
                Calls.check(
                        DocaCommon.doca_mmap_set_max_num_devices(map.pointer, devices.length),
                        "doca_mmap_set_max_num_devices",
                        attempt + " for " + devices.length + " devices");
            }
            for (long device : devices) {
                Calls.check(
                        DocaCommon.doca_mmap_add_dev(map.pointer, MemorySegment.ofAddress(device)),
                        "doca_mmap_add_dev",
                        attempt);
            }
            Calls.check(
                    DocaCommon.doca_mmap_set_permissions(map.pointer, access.flags()),
                    "doca_mmap_set_permissions",
                    attempt + " with access " + access);
            Calls.check(
                    DocaCommon.doca_mmap_set_memrange(map.pointer, memory, mapped), "doca_mmap_set_memrange", attempt);
            Calls.check(DocaCommon.doca_mmap_start(map.pointer), "doca_mmap_start", attempt);
        } catch (Throwable failure) {
            map.undo(failure);
            throw failure;
        }
        return map;
    }

    /** Maps memory of another process. */
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
            NativeMap map = new NativeMap(out.get(ADDRESS, 0));
            // This map is started already, so a release may refuse the call; the SDK then counts the buffers itself.
            Calls.probe(map::enableThreadSafety);
            return map;
        }
    }

    private static NativeMap create(String attempt) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment out = scratch.allocate(ADDRESS);
            Calls.check(DocaCommon.doca_mmap_create(out), "doca_mmap_create", attempt);
            return new NativeMap(out.get(ADDRESS, 0));
        }
    }

    /**
     * Lets threads take and return buffers of the map concurrently, each with its own inventory. By default the SDK counts them
     * without a lock; after this call it does not count them. doca-java counts them in any case. Releases before 2.10 lack the
     * function.
     */
    private int enableThreadSafety() {
        return NativeLoading.sdk().has("doca_mmap_enable_thread_safety")
                ? DocaCommon.doca_mmap_enable_thread_safety(pointer)
                : DocaError.SUCCESS.code();
    }

    long address() {
        return pointer.address();
    }

    /** Returns the mapped range, in the addresses of the process that owns it. */
    Range range(String attempt) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment address = scratch.allocate(JAVA_LONG);
            MemorySegment length = scratch.allocate(JAVA_LONG);
            Calls.check(DocaCommon.doca_mmap_get_memrange(pointer, address, length), "doca_mmap_get_memrange", attempt);
            return new Range(address.get(JAVA_LONG, 0), length.get(JAVA_LONG, 0));
        }
    }

    /**
     * Returns a copy of the descriptor for processes on the other side of the PCI bus; the SDK frees the original with the map.
     *
     * @throws DocaException if the SDK refuses, or its descriptor is longer than any known one
     */
    byte[] exportPci(long device, String attempt) {
        return export(DocaCommon::doca_mmap_export_pci, "doca_mmap_export_pci", device, attempt);
    }

    /** As {@link #exportPci}, for peers by RDMA. */
    byte[] exportRdma(long device, String attempt) {
        return export(DocaCommon::doca_mmap_export_rdma, "doca_mmap_export_rdma", device, attempt);
    }

    private byte[] export(ExportFunction function, String name, long device, String attempt) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment descriptor = scratch.allocate(ADDRESS);
            MemorySegment length = scratch.allocate(JAVA_LONG);
            Calls.check(function.apply(pointer, MemorySegment.ofAddress(device), descriptor, length), name, attempt);
            return NativeMemory.ofAddress(descriptor.get(ADDRESS, 0).address(), length.get(JAVA_LONG, 0))
                    .toArray(JAVA_BYTE);
        }
    }

    /** Returns the memory key of one of its devices ({@code doca_mmap_get_mkey}). */
    int mkey(long device, String attempt) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment key = scratch.allocate(JAVA_INT);
            Calls.check(
                    DocaCommon.doca_mmap_get_mkey(pointer, MemorySegment.ofAddress(device), key),
                    "doca_mmap_get_mkey",
                    attempt);
            return key.get(JAVA_INT, 0);
        }
    }

    /** Stops and destroys the map, and returns the {@code doca_error_t}. */
    int destroy() {
        return DocaCommon.doca_mmap_destroy(pointer);
    }

    /** Destroys the map after a failure, and adds a failure of the destruction to it as suppressed. */
    void undo(Throwable failure) {
        Undo.after(failure, () -> Calls.check(destroy(), "doca_mmap_destroy", "undoing the failed mapping"));
    }
}
