/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a representor and of the represented function of the host, at the time when the representors were listed. A
 * value that the function does not have, or that the loaded SDK does not provide, is empty or false. Later releases may add
 * values. Instances are immutable.
 */
public final class RepresentorInfo {

    private final RepresentorProperties properties;

    RepresentorInfo(RepresentorProperties properties) {
        this.properties = properties;
    }

    /** {@return the function's address on the PCI bus of the host ({@code doca_devinfo_rep_get_pci_addr_str})} */
    public PciAddress pciAddress() {
        return properties.pciAddress();
    }

    /**
     * {@return the function's unique name on the card, which is the same on the host and on the DPU ({@code
     * doca_devinfo_rep_get_vuid})}
     */
    public Optional<String> vuid() {
        return properties.vuid();
    }

    /**
     * {@return the name of the representor's network interface on the DPU, such as {@code pf0hpf} ({@code
     * doca_devinfo_rep_get_iface_name}, DOCA 3.0)}
     */
    public Optional<String> networkInterface() {
        return properties.networkInterface();
    }

    /**
     * {@return the index of its network interface in the operating system of the DPU ({@code doca_devinfo_rep_get_iface_index}, DOCA
     * 3.4)}
     */
    public OptionalInt networkInterfaceIndex() {
        return properties.networkInterfaceIndex();
    }

    /**
     * {@return the kind of PCI function ({@code doca_devinfo_rep_get_pci_func_type}); empty also for a kind that doca-java does not
     * know}
     */
    public Optional<PciFunctionType> functionType() {
        return properties.functionType();
    }

    /** {@return the number of the host among the hosts of the card ({@code doca_devinfo_rep_get_host_index}, DOCA 3.4)} */
    public OptionalInt hostIndex() {
        return properties.hostIndex();
    }

    /**
     * {@return the number of the physical function: the function itself or the function that it belongs to ({@code
     * doca_devinfo_rep_get_pf_index}, DOCA 3.4)}
     */
    public OptionalInt physicalFunctionIndex() {
        return properties.physicalFunctionIndex();
    }

    /**
     * {@return the unique name of the physical function that {@link #physicalFunctionIndex()} numbers ({@code
     * doca_devinfo_rep_get_pf_vuid}, DOCA 3.4)}
     */
    public Optional<String> physicalFunctionVuid() {
        return properties.physicalFunctionVuid();
    }

    /** {@return the number of a virtual function ({@code doca_devinfo_rep_get_vf_index}, DOCA 3.4); empty for other functions} */
    public OptionalInt virtualFunctionIndex() {
        return properties.virtualFunctionIndex();
    }

    /** {@return the number of a scalable function ({@code doca_devinfo_rep_get_sf_index}, DOCA 3.4); empty for other functions} */
    public OptionalInt subFunctionIndex() {
        return properties.subFunctionIndex();
    }

    /** {@return the number of virtual functions of the physical function ({@code doca_devinfo_rep_get_total_vfs}, DOCA 3.4)} */
    public OptionalInt virtualFunctions() {
        return properties.virtualFunctions();
    }

    /**
     * {@return the number that the card assigns to the function, from 0 to 65535 ({@code doca_devinfo_rep_get_vhca_id}, DOCA
     * 3.0)}
     */
    public OptionalInt vhcaId() {
        return properties.vhcaId();
    }

    /** {@return the number of the representor's InfiniBand port ({@code doca_devinfo_rep_get_ib_port}, DOCA 3.4)} */
    public OptionalInt infiniBandPort() {
        return properties.infiniBandPort();
    }

    /**
     * {@return the address of the PCI function over which the function moves data directly, instead of over {@link #pciAddress()}
     * ({@code doca_devinfo_rep_get_data_direct_pci_dev}, DOCA 3.4)}
     */
    public Optional<PciAddress> dataDirectPciAddress() {
        return properties.dataDirectPciAddress();
    }

    /** {@return whether the function was added to a running host ({@code doca_devinfo_rep_get_is_hotplug})} */
    public boolean hotplug() {
        return properties.hotplug();
    }

    /**
     * {@return whether it represents a port of the card instead of a function of the host ({@code
     * doca_devinfo_rep_get_is_uplink_representor}, DOCA 3.4)}
     */
    public boolean uplink() {
        return properties.uplink();
    }

    /** {@return the name of the representor in messages, such as {@code 0000:0b:00.0 (pf0hpf)}; without an interface only the address} */
    public String displayName() {
        return networkInterface().map(name -> pciAddress() + " (" + name + ")").orElseGet(pciAddress()::toString);
    }

    /** Returns whether both describe the same function. Other values may differ. */
    boolean isSameFunctionAs(RepresentorInfo other) {
        return pciAddress().equals(other.pciAddress()) && vuid().equals(other.vuid());
    }

    /** Compares all values. Two descriptions of one representor can differ, if its values have changed in between. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RepresentorInfo info && info.properties.equals(properties);
    }

    @Override
    public int hashCode() {
        return properties.hashCode();
    }

    /** Returns all values that are not empty. */
    @Override
    public String toString() {
        return new PropertyText("RepresentorInfo")
                .add("pciAddress", pciAddress())
                .add("vuid", vuid())
                .add("networkInterface", networkInterface())
                .add("networkInterfaceIndex", networkInterfaceIndex())
                .add("functionType", functionType())
                .add("hostIndex", hostIndex())
                .add("physicalFunctionIndex", physicalFunctionIndex())
                .add("physicalFunctionVuid", physicalFunctionVuid())
                .add("virtualFunctionIndex", virtualFunctionIndex())
                .add("subFunctionIndex", subFunctionIndex())
                .add("virtualFunctions", virtualFunctions())
                .add("vhcaId", vhcaId())
                .add("infiniBandPort", infiniBandPort())
                .add("dataDirectPciAddress", dataDirectPciAddress())
                .add("hotplug", hotplug())
                .add("uplink", uplink())
                .toString();
    }
}
