/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What is known of a representor and of the function of the host that it stands for, as it was when the representors were
 * listed. A value that the function does not have, or that the loaded SDK cannot tell, is empty.
 *
 * @param pciAddress the function's place on the PCI bus of the host ({@code doca_devinfo_rep_get_pci_addr_str})
 * @param vuid the function's unique name on the card, which host and DPU see alike ({@code doca_devinfo_rep_get_vuid})
 * @param networkInterface the name of the representor's network interface on the DPU, such as {@code pf0hpf} ({@code
 *     doca_devinfo_rep_get_iface_name}, DOCA 3.0)
 * @param networkInterfaceIndex the index of that interface ({@code doca_devinfo_rep_get_iface_index}, DOCA 3.4)
 * @param functionType what kind of function it is ({@code doca_devinfo_rep_get_pci_func_type})
 * @param hostIndex the number of the host ({@code doca_devinfo_rep_get_host_index}, DOCA 3.4)
 * @param physicalFunctionIndex the number of the physical function, its own or the one that it belongs to ({@code
 *     doca_devinfo_rep_get_pf_index}, DOCA 3.4)
 * @param physicalFunctionVuid the unique name of that one ({@code doca_devinfo_rep_get_pf_vuid}, DOCA 3.4)
 * @param virtualFunctionIndex the number of a virtual function ({@code doca_devinfo_rep_get_vf_index}, DOCA 3.4)
 * @param subFunctionIndex the number of a scalable function ({@code doca_devinfo_rep_get_sf_index}, DOCA 3.4)
 * @param virtualFunctions how many virtual functions the physical function has ({@code doca_devinfo_rep_get_total_vfs},
 *     DOCA 3.4)
 * @param vhcaId the function's number on the card ({@code doca_devinfo_rep_get_vhca_id}, DOCA 3.0)
 * @param infiniBandPort the representor's InfiniBand port ({@code doca_devinfo_rep_get_ib_port}, DOCA 3.4)
 * @param dataDirectPciAddress the place of the function that moves its data directly ({@code
 *     doca_devinfo_rep_get_data_direct_pci_dev}, DOCA 3.4)
 * @param hotplug whether the function was plugged in while the host ran ({@code doca_devinfo_rep_get_is_hotplug})
 * @param uplink whether it represents the port of the card ({@code doca_devinfo_rep_get_is_uplink_representor}, DOCA 3.4)
 */
public record RepresentorInfo(
        PciAddress pciAddress,
        Optional<String> vuid,
        Optional<String> networkInterface,
        OptionalInt networkInterfaceIndex,
        Optional<PciFunctionType> functionType,
        OptionalInt hostIndex,
        OptionalInt physicalFunctionIndex,
        Optional<String> physicalFunctionVuid,
        OptionalInt virtualFunctionIndex,
        OptionalInt subFunctionIndex,
        OptionalInt virtualFunctions,
        OptionalInt vhcaId,
        OptionalInt infiniBandPort,
        Optional<PciAddress> dataDirectPciAddress,
        boolean hotplug,
        boolean uplink) {

    /** Checks the components. */
    public RepresentorInfo {
        Objects.requireNonNull(pciAddress, "pciAddress");
        Objects.requireNonNull(vuid, "vuid");
        Objects.requireNonNull(networkInterface, "networkInterface");
        Objects.requireNonNull(networkInterfaceIndex, "networkInterfaceIndex");
        Objects.requireNonNull(functionType, "functionType");
        Objects.requireNonNull(hostIndex, "hostIndex");
        Objects.requireNonNull(physicalFunctionIndex, "physicalFunctionIndex");
        Objects.requireNonNull(physicalFunctionVuid, "physicalFunctionVuid");
        Objects.requireNonNull(virtualFunctionIndex, "virtualFunctionIndex");
        Objects.requireNonNull(subFunctionIndex, "subFunctionIndex");
        Objects.requireNonNull(virtualFunctions, "virtualFunctions");
        Objects.requireNonNull(vhcaId, "vhcaId");
        Objects.requireNonNull(infiniBandPort, "infiniBandPort");
        Objects.requireNonNull(dataDirectPciAddress, "dataDirectPciAddress");
    }

    /** How messages name the representor: {@code 0000:0b:00.0 (pf0hpf)}. */
    public String displayName() {
        return networkInterface.map(name -> pciAddress + " (" + name + ")").orElseGet(pciAddress::toString);
    }

    /** Whether both tell of the same function: other properties can have changed in between. */
    boolean isSameFunctionAs(RepresentorInfo other) {
        return pciAddress.equals(other.pciAddress) && vuid.equals(other.vuid);
    }
}
