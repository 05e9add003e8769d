/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.plan;

import java.util.List;
import java.util.stream.Stream;

/** A measured API, with the sizes and depths that apply to it. */
@SuppressWarnings("ImmutableEnumChecker") // the lists are those of List.of()
public enum Api {
    /** A prepared series, submitted again and again. */
    RAW("raw", "copy.DmaCopyBenchmark.raw", Sizes.COPIES, Sizes.DEPTHS),
    /** The same on the emulator's release 2.2, through the translation to work queues. */
    RAW_2_2("raw-2.2", "copy.DmaCopyBenchmark.raw", Sizes.COPIES, Sizes.DEPTHS),
    /** Prepared tasks, submitted again. */
    BATCH("batch", "copy.DmaCopyBenchmark.batch", Sizes.COPIES, Sizes.DEPTHS),
    /** Prepared tasks, submitted again, beside C that submits one by one. */
    TASK("task", "copy.DmaCopyBenchmark.task", Sizes.COPIES, Sizes.DEPTHS),
    /** Copies with a callback. */
    CALLBACK("callback", "copy.DmaCopyBenchmark.callback", Sizes.COPIES, Sizes.MORE_DEPTHS),
    /** Copies of two contexts with callbacks of three classes, between eight maps. */
    MIXED("mixed", "copy.DmaCopyBenchmark.mixed", Sizes.SMALL, Sizes.WIDE),
    /** Copies with a callback, each to another map. */
    REBIND("rebind", "copy.DmaCopyBenchmark.rebind", Sizes.SMALL, Sizes.WIDE),
    /** Copies with a callback, each from another map to another one. */
    REBIND_BOTH("rebind-both", "copy.DmaCopyBenchmark.rebindBoth", Sizes.SMALL, Sizes.WIDE),
    /** Copies with futures. */
    FUTURE("future", "copy.DmaCopyBenchmark.future", Sizes.COPIES, Sizes.DEPTHS),
    /** Four platform threads that copy by a context on a loop. */
    LOOP_PLATFORM("loop-platform", "copy.LoopCopyBenchmark.loopPlatform", Sizes.COPIES, Sizes.DEPTHS),
    /** Four virtual threads that copy by a context on a loop. */
    LOOP_VIRTUAL("loop-virtual", "copy.LoopCopyBenchmark.loopVirtual", Sizes.COPIES, Sizes.DEPTHS),
    /** Copies from the memory of another process. */
    PULL("pull", "copy.RemoteCopyBenchmark.pull", Sizes.COPIES, Sizes.DEPTHS),
    /** Copies to the memory of another process. */
    PUSH("push", "copy.RemoteCopyBenchmark.push", Sizes.COPIES, Sizes.DEPTHS),
    /** Writes to a peer by RDMA. */
    RDMA_WRITE("rdma-write", "rdma.RdmaBenchmark.write", Sizes.COPIES, Sizes.DEPTHS),
    /** Reads from a peer by RDMA. */
    RDMA_READ("rdma-read", "rdma.RdmaBenchmark.read", Sizes.COPIES, Sizes.DEPTHS),
    /** Sends to a peer by RDMA. */
    RDMA_SEND("rdma-send", "rdma.RdmaBenchmark.send", Sizes.COPIES, Sizes.DEPTHS),
    /** Writes to a peer by RDMA, with a callback. */
    RDMA_WRITE_CALLBACK("rdma-write-callback", "rdma.RdmaBenchmark.writeCallback", Sizes.COPIES, Sizes.DEPTHS),
    /** Sends to a peer by RDMA, with a callback. */
    RDMA_SEND_CALLBACK("rdma-send-callback", "rdma.RdmaBenchmark.sendCallback", Sizes.COPIES, Sizes.DEPTHS),
    /** The plain generated bindings, with an upcall for each copy. */
    JEXTRACT("jextract", "peer.jextract.JextractCopyBenchmark.jextract", Sizes.COPIES, Sizes.DEPTHS),
    /** Java's older interface to native code. */
    JNI("jni", "peer.JniCopyBenchmark.jni", Sizes.COPIES, Sizes.DEPTHS),
    /** The processor instead of a device. */
    MEMORY_COPY("memory-copy", "peer.MemoryCopyBenchmark.memorySegmentCopy", Sizes.COPIES, Sizes.WIDE),
    /** Rounds of prepared tasks. */
    DRAIN("drain", "copy.DmaCopyBenchmark.drain", List.of(64), Sizes.DEPTHS),
    /** Takes buffers and returns them. */
    BUF_TAKE("buf-take", "parts.PartsBenchmark.bufTake", List.of(64), Sizes.DEPTHS),
    /** Sets a buffer to another range. */
    BUF_AIM("buf-aim", "parts.PartsBenchmark.bufAim", List.of(64), Sizes.DEPTHS),
    /** Takes a task, configures it and returns it. */
    TASK_ARM("task-arm", "parts.PartsBenchmark.taskArm", List.of(64), Sizes.DEPTHS),
    /** Maps, exports and unmaps memory. */
    EXPORT("export", "parts.ExportBenchmark.exportPci", List.of(1 << 20), Sizes.ONE),
    /** Imports memory. */
    IMPORT("import", "parts.ExportBenchmark.importPci", List.of(1 << 20), Sizes.ONE),
    /** Finds, opens and closes a device. */
    DEVICE_OPEN("device-open", "parts.DeviceBenchmark.deviceOpen", Sizes.NONE, Sizes.NONE);

    private final String id;
    private final String benchmark;
    private final List<Integer> sizes;
    private final List<Integer> depths;

    Api(String id, String benchmark, List<Integer> sizes, List<Integer> depths) {
        this.id = id;
        this.benchmark = "io.docajava.benchmarks." + benchmark;
        this.sizes = sizes;
        this.depths = depths;
    }

    /** Returns the name in tables. */
    public String id() {
        return id;
    }

    /** Returns the class and method of the benchmark. */
    String benchmark() {
        return benchmark;
    }

    /** Returns whether it is measured on the host. */
    boolean isOnHost() {
        return this == EXPORT;
    }

    /** Returns whether it is measured on the emulator's release 2.2. */
    public boolean isOnWorkQueues() {
        return this == RAW_2_2;
    }

    /** Returns whether the benchmark has the size as a parameter. */
    boolean hasSize() {
        return !sizes.equals(Sizes.NONE);
    }

    /** Returns whether the benchmark has the depth as a parameter. */
    boolean hasDepth() {
        return depths.size() > 1 || depths.equals(Sizes.WIDE);
    }

    /** Returns the cases with each size and depth. */
    Stream<BenchCase> cases() {
        return sizes.stream().flatMap(size -> depths.stream().map(depth -> new BenchCase(this, size, depth)));
    }

    private static final class Sizes {

        static final List<Integer> COPIES = List.of(64, 4096, 65536, 1 << 20);
        static final List<Integer> DEPTHS = List.of(1, 32, 256);
        static final List<Integer> MORE_DEPTHS = List.of(1, 8, 32, 256);
        static final List<Integer> SMALL = List.of(64);
        static final List<Integer> WIDE = List.of(32);
        static final List<Integer> ONE = List.of(1);
        static final List<Integer> NONE = List.of(0);
    }
}
