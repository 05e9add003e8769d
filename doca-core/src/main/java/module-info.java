/* SPDX-License-Identifier: Apache-2.0 */
/** DOCA Core: devices, memory, buffers, contexts, tasks and the progress engine. */
module io.docajava.core {
    requires static transitive org.jspecify;
    requires transitive io.docajava.ffi;
    requires jdk.jfr;
    requires org.slf4j;

    exports io.docajava.core;
    exports io.docajava.core.context;
    exports io.docajava.core.device;
    exports io.docajava.core.doctor;
    exports io.docajava.core.graph;
    exports io.docajava.core.memory;
    exports io.docajava.core.progress;
    exports io.docajava.core.sync;
    exports io.docajava.core.internal.call to
            io.docajava.comch,
            io.docajava.dma,
            io.docajava.rdma;
    exports io.docajava.core.internal.context to
            io.docajava.comch,
            io.docajava.dma,
            io.docajava.rdma;
    exports io.docajava.core.internal.device to
            io.docajava.comch,
            io.docajava.dma,
            io.docajava.rdma;
    exports io.docajava.core.internal.engine to
            io.docajava.comch,
            io.docajava.dma,
            io.docajava.rdma;
    exports io.docajava.core.internal.file to
            io.docajava.rdma;
    exports io.docajava.core.internal.jfr to
            io.docajava.comch,
            io.docajava.rdma;
    exports io.docajava.core.internal.lifecycle to
            io.docajava.comch,
            io.docajava.dma,
            io.docajava.junit,
            io.docajava.rdma;
    exports io.docajava.core.internal.log to
            io.docajava.rdma;
    exports io.docajava.core.internal.memory to
            io.docajava.comch,
            io.docajava.dma,
            io.docajava.rdma;
    exports io.docajava.core.internal.operation to
            io.docajava.comch,
            io.docajava.dma,
            io.docajava.rdma;
    exports io.docajava.core.internal.state to
            io.docajava.comch,
            io.docajava.dma,
            io.docajava.rdma;
    exports io.docajava.core.internal.sync to
            io.docajava.rdma;

    uses io.docajava.core.doctor.FeatureProbe;
}
