/* SPDX-License-Identifier: Apache-2.0 */
/** DOCA Core: devices, memory, buffers, contexts, tasks and the progress engine. */
module io.docajava.core {
    requires static org.jspecify;
    requires transitive io.docajava.ffi;
    requires org.slf4j;
    requires jdk.jfr;

    exports io.docajava.core;
}
