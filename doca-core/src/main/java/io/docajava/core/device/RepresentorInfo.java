/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A description of a representor and of the function of the host that it stands for, as it was when the representors were
 * listed. A value that the function does not have, or that the loaded SDK does not provide, is empty. A later release can add
 * values.
 */
public final class RepresentorInfo {

    private final RepresentorProperties properties;

    RepresentorInfo(RepresentorProperties properties) {
        this.properties = properties;
    }

    /** Returns the function's place on the PCI bus of the host ({@code doca_devinfo_rep_get_pci_addr_str}). */
    public PciAddress pciAddress() {
        return properties.pciAddress();
    }

    /**
     * Returns the function's unique name on the card, which host and DPU see alike ({@code doca_devinfo_rep_get_vuid}).
     */
    public Optional<String> vuid() {
        return properties.vuid();
    }

    /**
     * Returns the name of the representor's network interface on the DPU, such as {@code pf0hpf} ({@code
     * doca_devinfo_rep_get_iface_name}, DOCA 3.0).
     */
    public Optional<String> networkInterface() {
        return properties.networkInterface();
    }

    /** Returns the index of its network interface ({@code doca_devinfo_rep_get_iface_index}, DOCA 3.4). */
    public OptionalInt networkInterfaceIndex() {
        return properties.networkInterfaceIndex();
    }

    /** Returns what kind of function it is ({@code doca_devinfo_rep_get_pci_func_type}). */
    public Optional<PciFunctionType> functionType() {
        return properties.functionType();
    }

    /** Returns the number of the host ({@code doca_devinfo_rep_get_host_index}, DOCA 3.4). */
    public OptionalInt hostIndex() {
        return properties.hostIndex();
    }

    /**
     * Returns the number of the physical function, its own or the one that it belongs to ({@code
     * doca_devinfo_rep_get_pf_index}, DOCA 3.4).
     */
    public OptionalInt physicalFunctionIndex() {
        return properties.physicalFunctionIndex();
    }

    /** Returns the unique name of that physical function ({@code doca_devinfo_rep_get_pf_vuid}, DOCA 3.4). */
    public Optional<String> physicalFunctionVuid() {
        return properties.physicalFunctionVuid();
    }

    /** Returns the number of a virtual function ({@code doca_devinfo_rep_get_vf_index}, DOCA 3.4). */
    public OptionalInt virtualFunctionIndex() {
        return properties.virtualFunctionIndex();
    }

    /** Returns the number of a scalable function ({@code doca_devinfo_rep_get_sf_index}, DOCA 3.4). */
    public OptionalInt subFunctionIndex() {
        return properties.subFunctionIndex();
    }

    /**
     * Returns how many virtual functions the physical function has ({@code doca_devinfo_rep_get_total_vfs}, DOCA 3.4).
     */
    public OptionalInt virtualFunctions() {
        return properties.virtualFunctions();
    }

    /** Returns the function's number on the card ({@code doca_devinfo_rep_get_vhca_id}, DOCA 3.0). */
    public OptionalInt vhcaId() {
        return properties.vhcaId();
    }

    /** Returns the representor's InfiniBand port ({@code doca_devinfo_rep_get_ib_port}, DOCA 3.4). */
    public OptionalInt infiniBandPort() {
        return properties.infiniBandPort();
    }

    /**
     * Returns the place of the function that moves its data directly ({@code doca_devinfo_rep_get_data_direct_pci_dev},
     * DOCA 3.4).
     */
    public Optional<PciAddress> dataDirectPciAddress() {
        return properties.dataDirectPciAddress();
    }

    /**
     * Returns whether the function was plugged in while the host ran ({@code doca_devinfo_rep_get_is_hotplug}).
     */
    public boolean hotplug() {
        return properties.hotplug();
    }

    /**
     * Returns whether it represents the port of the card ({@code doca_devinfo_rep_get_is_uplink_representor}, DOCA 3.4).
     */
    public boolean uplink() {
        return properties.uplink();
    }

    /** Returns the name of the representor in messages: {@code 0000:0b:00.0 (pf0hpf)}. */
    public String displayName() {
        return networkInterface().map(name -> pciAddress() + " (" + name + ")").orElseGet(pciAddress()::toString);
    }

    /** Returns whether both describe one function: other values can have changed in between. */
    boolean isSameFunctionAs(RepresentorInfo other) {
        return pciAddress().equals(other.pciAddress()) && vuid().equals(other.vuid());
    }

    /** Compares all values: those of one representor can differ when it was listed twice. */
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
