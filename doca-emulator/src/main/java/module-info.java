/* SPDX-License-Identifier: Apache-2.0 */
/** The DOCA C libraries in software, for machines without a BlueField. */
module io.docajava.emulator {
    requires static transitive org.jspecify;
    requires io.docajava.ffi;

    exports io.docajava.emulator;

    provides io.docajava.ffi.EmulatorProvider with
            io.docajava.emulator.internal.BundledEmulator;
}
