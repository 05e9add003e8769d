/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import io.docajava.core.internal.device.RepresentorProperties;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The properties of a representor and of the represented function of the host, at the time when the representors were listed. A
 * value that the function does not have, or that the loaded SDK does not provide, is empty or false. Later releases may add
 * values. Instances are immutable.
 *
 * <p>Two descriptions are equal if all values are. Those of one representor differ if its values have changed in between. The text
 * of a description has all values that are not empty.
 */
public sealed interface RepresentorInfo permits RepresentorProperties {

    /** {@return the function's address on the PCI bus of the host ({@code doca_devinfo_rep_get_pci_addr_str})} */
    PciAddress pciAddress();

    /** {@return the function's unique name on the card, equal on the host and the DPU ({@code doca_devinfo_rep_get_vuid})} */
    Optional<String> vuid();

    /**
     * {@return the name of its network interface on the DPU, such as {@code pf0hpf} ({@code doca_devinfo_rep_get_iface_name},
     * DOCA 3.0)}
     */
    Optional<String> networkInterface();

    /**
     * {@return the index of its network interface in the DPU's operating system ({@code doca_devinfo_rep_get_iface_index}, DOCA
     * 3.3)}
     */
    OptionalInt networkInterfaceIndex();

    /** {@return the kind of PCI function ({@code doca_devinfo_rep_get_pci_func_type}); empty also for an unknown kind} */
    Optional<PciFunctionType> functionType();

    /** {@return the number of the host among the hosts of the card ({@code doca_devinfo_rep_get_host_index}, DOCA 3.3)} */
    OptionalInt hostIndex();

    /** {@return the number of its physical function, which may be itself ({@code doca_devinfo_rep_get_pf_index}, DOCA 3.3)} */
    OptionalInt physicalFunctionIndex();

    /** {@return the unique name of its physical function, which may be itself ({@code doca_devinfo_rep_get_pf_vuid}, DOCA 3.3)} */
    Optional<String> physicalFunctionVuid();

    /** {@return the number of a virtual function ({@code doca_devinfo_rep_get_vf_index}, DOCA 3.3); empty for other functions} */
    OptionalInt virtualFunctionIndex();

    /** {@return the number of a scalable function ({@code doca_devinfo_rep_get_sf_index}, DOCA 3.3); empty for other functions} */
    OptionalInt subFunctionIndex();

    /** {@return the number of virtual functions of the physical function ({@code doca_devinfo_rep_get_total_vfs}, DOCA 3.3)} */
    OptionalInt virtualFunctions();

    /** {@return the card's number for the function, from 0 to 65535 ({@code doca_devinfo_rep_get_vhca_id}, DOCA 3.0)} */
    OptionalInt vhcaId();

    /** {@return the number of the representor's InfiniBand port ({@code doca_devinfo_rep_get_ib_port}, DOCA 3.3)} */
    OptionalInt infiniBandPort();

    /**
     * {@return the address of the PCI function over which the function moves data directly, instead of over {@link #pciAddress()}
     * ({@code doca_devinfo_rep_get_data_direct_pci_dev}, DOCA 3.3)}
     */
    Optional<PciAddress> dataDirectPciAddress();

    /** {@return whether the function was added to a running host ({@code doca_devinfo_rep_get_is_hotplug})} */
    boolean hotplug();

    /**
     * {@return whether it represents a port of the card instead of a function of the host ({@code
     * doca_devinfo_rep_get_is_uplink_representor}, DOCA 3.3)}
     */
    boolean uplink();

    /**
     * {@return the name of the representor in messages, such as {@code 0000:0b:00.0 (pf0hpf)}; without an interface only the
     * address}
     */
    default String displayName() {
        return networkInterface().map(name -> pciAddress() + " (" + name + ")").orElseGet(pciAddress()::toString);
    }
}
