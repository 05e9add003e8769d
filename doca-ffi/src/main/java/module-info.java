/* SPDX-License-Identifier: Apache-2.0 */
/** The C ABI of DOCA in Java. Applications use it through doca-core. It is the only module that needs native access. */
module io.docajava.ffi {
    requires static transitive org.jspecify;

    exports io.docajava;
    exports io.docajava.ffi;
    exports io.docajava.ffi.internal to
            io.docajava.comch,
            io.docajava.core,
            io.docajava.dma,
            io.docajava.rdma;
    exports io.docajava.ffi.argument to
            io.docajava.core,
            io.docajava.dma,
            io.docajava.junit,
            io.docajava.micrometer,
            io.docajava.rdma;
    exports io.docajava.ffi.hot to
            io.docajava.core,
            io.docajava.dma,
            io.docajava.rdma;
    exports io.docajava.ffi.completion to
            io.docajava.comch,
            io.docajava.core,
            io.docajava.dma,
            io.docajava.rdma;
    exports io.docajava.ffi.submission to
            io.docajava.core,
            io.docajava.dma,
            io.docajava.rdma;
    exports io.docajava.ffi.linux to
            io.docajava.core;
    exports io.docajava.ffi.log to
            io.docajava.core;
    exports io.docajava.ffi.generated.common to
            io.docajava.comch,
            io.docajava.core,
            io.docajava.dma,
            io.docajava.rdma;
    exports io.docajava.ffi.comch to
            io.docajava.comch;
    exports io.docajava.ffi.generated.comch to
            io.docajava.comch;
    exports io.docajava.ffi.generated.dma to
            io.docajava.dma;
    exports io.docajava.ffi.generated.rdma to
            io.docajava.rdma;

    uses io.docajava.ffi.EmulatorProvider;
    uses io.docajava.ffi.TranslationProvider;
}
