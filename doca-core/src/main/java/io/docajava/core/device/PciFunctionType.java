/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

/** The kinds of PCI functions ({@code enum doca_pci_func_type}). */
public enum PciFunctionType {
    /** A physical function (PF): the function of a port of the card. */
    PHYSICAL,
    /** A virtual function (VF): belongs to a physical function and has a PCI address of its own. */
    VIRTUAL,
    /** A scalable function (SF): belongs to a physical function and has its PCI address. */
    SCALABLE
}
