/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi;

/** The kinds of DOCA libraries that a process can load. */
public enum Backend {
    /** NVIDIA's SDK, as installed on a BlueField or on a host with one. */
    SDK,
    /** The emulator of doca-emulator, which has the same functions and needs no device. */
    EMULATOR
}
