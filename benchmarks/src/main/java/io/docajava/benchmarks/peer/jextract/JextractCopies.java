/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.peer.jextract;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.docajava.benchmarks.BenchMemory;
import io.docajava.ffi.DocaLibrary;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.generated.common.doca_data;
import io.docajava.ffi.generated.dma.DocaDma;
import io.docajava.ffi.generated.dma.doca_dma_task_memcpy_completion_cb_t;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Tasks on their own context, written in Java as a C programmer would. */
final class JextractCopies implements AutoCloseable {

    private static final boolean HAS_FLAGS = DocaLibrary.load().has("doca_task_submit_ex");

    private final Arena arena = Arena.ofShared();
    private final MemorySegment out = arena.allocate(ADDRESS);
    private final int size;
    private final MemorySegment sources;
    private final MemorySegment targets;

    private final MemorySegment device;
    private final MemorySegment sourceMap;
    private final MemorySegment targetMap;
    private final MemorySegment inventory;
    private final MemorySegment engine;
    private final MemorySegment dma;
    private final MemorySegment[] sourceBuffers;
    private final MemorySegment[] targetBuffers;
    private final MemorySegment[] tasks;

    private long ended;
    private boolean failed;

    JextractCopies(int size, int depth) {
        this.size = size;
        sources = BenchMemory.sources((long) size * depth);
        targets = BenchMemory.targets((long) size * depth);
        device = openDevice();
        sourceMap = map(sources, DocaCommon.DOCA_ACCESS_FLAG_LOCAL_READ_ONLY());
        targetMap = map(targets, DocaCommon.DOCA_ACCESS_FLAG_LOCAL_READ_WRITE());
        inventory = inventory(2L * depth);
        check(DocaCommon.doca_pe_create(out));
        engine = out.get(ADDRESS, 0);
        dma = context(depth);
        sourceBuffers = new MemorySegment[depth];
        targetBuffers = new MemorySegment[depth];
        tasks = new MemorySegment[depth];
        for (int i = 0; i < depth; i++) {
            prepare(i);
        }
    }

    /** Returns the memory that a copy reads. */
    MemorySegment source(int index) {
        return sources.asSlice((long) index * size, size);
    }

    /** Returns the memory that a copy writes. */
    MemorySegment target(int index) {
        return targets.asSlice((long) index * size, size);
    }

    /** Submits a task. Releases without flags flush each task. */
    private static int submit(MemorySegment task, int flags) {
        return HAS_FLAGS ? DocaCommon.doca_task_submit_ex(task, flags) : DocaCommon.doca_task_submit(task);
    }

    /** Submits all tasks, and returns when they have completed. */
    void round() {
        int last = tasks.length - 1;
        for (int i = 0; i < last; i++) {
            check(submit(tasks[i], DocaCommon.DOCA_TASK_SUBMIT_FLAG_NONE()));
        }
        check(submit(tasks[last], DocaCommon.DOCA_TASK_SUBMIT_FLAG_FLUSH()));
        long goal = ended + tasks.length;
        while (ended < goal && !failed) {
            DocaCommon.doca_pe_progress(engine);
        }
        if (failed) {
            throw new IllegalStateException("A copy failed");
        }
    }

    /** Called by native code. An exception would terminate the JVM. */
    private void succeeded(MemorySegment task, MemorySegment taskData, MemorySegment contextData) {
        failed |= DocaCommon.doca_buf_reset_data_len(targetBuffers[(int) doca_data.u64(taskData)]) != 0;
        ended++;
    }

    private void failed(MemorySegment task, MemorySegment taskData, MemorySegment contextData) {
        failed = true;
    }

    @SuppressWarnings("restricted") // the list is native memory, whose size C does not tell
    private MemorySegment openDevice() {
        MemorySegment count = arena.allocate(JAVA_INT);
        check(DocaCommon.doca_devinfo_create_list(out, count));
        MemorySegment list = out.get(ADDRESS, 0).reinterpret(count.get(JAVA_INT, 0) * ADDRESS.byteSize());
        try {
            for (int i = 0; i < count.get(JAVA_INT, 0); i++) {
                MemorySegment info = list.getAtIndex(ADDRESS, i);
                if (isWanted(info)) {
                    check(DocaCommon.doca_dev_open(info, out));
                    return out.get(ADDRESS, 0);
                }
            }
        } finally {
            check(DocaCommon.doca_devinfo_destroy_list(list));
        }
        throw new IllegalStateException("No device can copy by DMA");
    }

    /** Selects the same device as {@code BenchDevice}. */
    private boolean isWanted(MemorySegment info) {
        String address = System.getenv("DOCA_BENCH_PCI");
        if (address == null) {
            return DocaDma.doca_dma_cap_task_memcpy_is_supported(info) == 0;
        }
        check(DocaCommon.doca_devinfo_is_equal_pci_addr(info, arena.allocateFrom(address), out));
        return out.get(JAVA_BYTE, 0) != 0;
    }

    private MemorySegment map(MemorySegment memory, int access) {
        check(DocaCommon.doca_mmap_create(out));
        MemorySegment map = out.get(ADDRESS, 0);
        check(DocaCommon.doca_mmap_add_dev(map, device));
        check(DocaCommon.doca_mmap_set_permissions(map, access));
        check(DocaCommon.doca_mmap_set_memrange(map, memory, memory.byteSize()));
        check(DocaCommon.doca_mmap_start(map));
        return map;
    }

    private MemorySegment inventory(long buffers) {
        check(DocaCommon.doca_buf_inventory_create(buffers, out));
        MemorySegment made = out.get(ADDRESS, 0);
        check(DocaCommon.doca_buf_inventory_start(made));
        return made;
    }

    private MemorySegment context(int depth) {
        check(DocaDma.doca_dma_create(device, out));
        MemorySegment made = out.get(ADDRESS, 0);
        MemorySegment context = DocaDma.doca_dma_as_ctx(made);
        check(DocaCommon.doca_pe_connect_ctx(engine, context));
        check(DocaDma.doca_dma_task_memcpy_set_conf(
                made,
                doca_dma_task_memcpy_completion_cb_t.allocate(this::succeeded, arena),
                doca_dma_task_memcpy_completion_cb_t.allocate(this::failed, arena),
                depth));
        check(DocaCommon.doca_ctx_start(context));
        return made;
    }

    private void prepare(int index) {
        check(DocaCommon.doca_buf_inventory_buf_get_by_args(
                inventory, sourceMap, source(index), size, source(index), size, out));
        sourceBuffers[index] = out.get(ADDRESS, 0);
        check(DocaCommon.doca_buf_inventory_buf_get_by_args(
                inventory, targetMap, target(index), size, target(index), 0, out));
        targetBuffers[index] = out.get(ADDRESS, 0);
        MemorySegment data = doca_data.allocate(arena);
        doca_data.u64(data, index);
        check(DocaDma.doca_dma_task_memcpy_alloc_init(dma, sourceBuffers[index], targetBuffers[index], data, out));
        tasks[index] = DocaDma.doca_dma_task_memcpy_as_task(out.get(ADDRESS, 0));
    }

    @Override
    public void close() {
        for (MemorySegment task : tasks) {
            DocaCommon.doca_task_free(task);
        }
        for (int i = 0; i < tasks.length; i++) {
            check(DocaCommon.doca_buf_dec_refcount(sourceBuffers[i], MemorySegment.NULL));
            check(DocaCommon.doca_buf_dec_refcount(targetBuffers[i], MemorySegment.NULL));
        }
        check(DocaCommon.doca_ctx_stop(DocaDma.doca_dma_as_ctx(dma)));
        check(DocaDma.doca_dma_destroy(dma));
        check(DocaCommon.doca_pe_destroy(engine));
        check(DocaCommon.doca_buf_inventory_destroy(inventory));
        check(DocaCommon.doca_mmap_destroy(targetMap));
        check(DocaCommon.doca_mmap_destroy(sourceMap));
        check(DocaCommon.doca_dev_close(device));
        arena.close();
    }

    private static void check(int result) {
        if (result != 0) {
            throw new IllegalStateException("A DOCA function returned error " + result);
        }
    }
}
