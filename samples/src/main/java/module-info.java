/* SPDX-License-Identifier: Apache-2.0 */
/** The samples of the DOCA SDK in Java, one sub-command each. */
module io.docajava.samples {
    requires static org.jspecify;
    requires io.docajava.comch;
    requires io.docajava.dma;
    requires io.docajava.rdma;
    // Used by one sample, and only on the emulator.
    requires static io.docajava.emulator;
    requires ch.qos.logback.classic;
    requires ch.qos.logback.core;
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.jr.ob;
    requires info.picocli;
    requires org.slf4j;

    opens io.docajava.samples to
            info.picocli;
    opens io.docajava.samples.acceptance to
            info.picocli;
    opens io.docajava.samples.cli to
            info.picocli;
    opens io.docajava.samples.doctor to
            info.picocli;
    opens io.docajava.samples.filecopy to
            info.picocli;
    opens io.docajava.samples.pe to
            info.picocli;
    opens io.docajava.samples.rdma to
            info.picocli;
    opens io.docajava.samples.sync to
            info.picocli;
    opens io.docajava.samples.log to
            ch.qos.logback.core;
}
