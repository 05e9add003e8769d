/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi;

/** Kind of the loaded DOCA libraries. */
public enum Backend {
    /** NVIDIA's SDK, as installed on a BlueField or on a host with one. */
    SDK,
    /** The software emulation of doca-emulator: the same functions without a device. */
    EMULATOR
}
