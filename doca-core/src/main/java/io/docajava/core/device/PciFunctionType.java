/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

/** The kinds of PCI functions ({@code enum doca_pci_func_type}). */
public enum PciFunctionType {
    /** A physical function (PF), which is the function of a port of the card. */
    PHYSICAL,
    /** A virtual function (VF), which has a PCI address of its own and belongs to a physical function. */
    VIRTUAL,
    /** A scalable function (SF), which has the PCI address of its physical function. */
    SCALABLE
}
