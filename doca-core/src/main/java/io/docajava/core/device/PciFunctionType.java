/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

/** What kind of PCI function a device is ({@code enum doca_pci_func_type}). */
public enum PciFunctionType {
    /** A physical function. */
    PHYSICAL,
    /** A virtual function. */
    VIRTUAL,
    /** A scalable function. */
    SCALABLE
}
