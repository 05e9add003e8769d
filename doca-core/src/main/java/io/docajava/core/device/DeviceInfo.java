/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A description of a device, as it was when the devices were listed. A value that the device does not have, or that the loaded
 * SDK does not provide, is empty. A later release can add values.
 */
public final class DeviceInfo {

    private final DeviceProperties properties;

    DeviceInfo(DeviceProperties properties) {
        this.properties = properties;
    }

    /**
     * Returns its place on the PCI bus ({@code doca_devinfo_get_pci_addr_str}); scalable functions share that of their
     * physical function.
     */
    public PciAddress pciAddress() {
        return properties.pciAddress();
    }

    /** Returns its name as an InfiniBand device, such as {@code mlx5_0} ({@code doca_devinfo_get_ibdev_name}). */
    public Optional<String> ibDevice() {
        return properties.ibDevice();
    }

    /** Returns the name of its network interface, such as {@code p0} ({@code doca_devinfo_get_iface_name}). */
    public Optional<String> networkInterface() {
        return properties.networkInterface();
    }

    /** Returns the index of its network interface ({@code doca_devinfo_get_iface_index}, DOCA 3.4). */
    public OptionalInt networkInterfaceIndex() {
        return properties.networkInterfaceIndex();
    }

    /** Returns its Ethernet address, such as {@code 02:00:00:00:03:00} ({@code doca_devinfo_get_mac_addr}). */
    public Optional<String> macAddress() {
        return properties.macAddress();
    }

    /** Returns the IPv4 address of its interface ({@code doca_devinfo_get_ipv4_addr}). */
    public Optional<Inet4Address> ipv4() {
        return properties.ipv4();
    }

    /** Returns the IPv6 address of its interface ({@code doca_devinfo_get_ipv6_addr}). */
    public Optional<Inet6Address> ipv6() {
        return properties.ipv6();
    }

    /** Returns its InfiniBand local identifier ({@code doca_devinfo_get_lid}). */
    public OptionalInt lid() {
        return properties.lid();
    }

    /** Returns its number on the card ({@code doca_devinfo_get_vhca_id}, DOCA 3.0). */
    public OptionalInt vhcaId() {
        return properties.vhcaId();
    }

    /** Returns what kind of function it is ({@code doca_devinfo_get_pci_func_type}, DOCA 3.1). */
    public Optional<PciFunctionType> functionType() {
        return properties.functionType();
    }

    /** Returns the number of a scalable function ({@code doca_devinfo_get_sf_index}, DOCA 3.1). */
    public OptionalInt subFunctionIndex() {
        return properties.subFunctionIndex();
    }

    /** Returns the InfiniBand port of its uplink ({@code doca_devinfo_get_uplink_ib_port}, DOCA 3.4). */
    public OptionalInt uplinkPort() {
        return properties.uplinkPort();
    }

    /**
     * Returns the place of the function that moves its data directly, past {@link #pciAddress()} ({@code
     * doca_devinfo_get_data_direct_pci_dev}, DOCA 3.4).
     */
    public Optional<PciAddress> dataDirectPciAddress() {
        return properties.dataDirectPciAddress();
    }

    /**
     * Returns whether it can plug emulated functions into the host while that runs ({@code
     * doca_devinfo_cap_is_hotplug_manager_supported}).
     */
    public boolean hotplugManager() {
        return properties.hotplugManager();
    }

    /**
     * Returns whether it can gather notifications ({@code doca_devinfo_cap_is_notification_moderation_supported}, DOCA
     * 3.0).
     */
    public boolean notificationModeration() {
        return properties.notificationModeration();
    }

    /**
     * Returns whether it can give resources back faster ({@code
     * doca_devinfo_cap_is_accelerate_resource_reclaim_supported}, DOCA 3.0).
     */
    public boolean acceleratedResourceReclaim() {
        return properties.acceleratedResourceReclaim();
    }

    /** Returns the rate of its port in bits a second ({@code doca_devinfo_get_active_rate}, DOCA 2.9). */
    public OptionalLong activeRate() {
        return properties.activeRate();
    }

    /** Returns the name of the device in messages: {@code 0000:03:00.0 (mlx5_0)}. */
    public String displayName() {
        return ibDevice().map(name -> pciAddress() + " (" + name + ")").orElseGet(pciAddress()::toString);
    }

    /** Returns whether both describe one device: its addresses and its rate can have changed in between. */
    boolean isSameDeviceAs(DeviceInfo other) {
        return pciAddress().equals(other.pciAddress())
                && ibDevice().equals(other.ibDevice())
                && functionType().equals(other.functionType())
                && subFunctionIndex().equals(other.subFunctionIndex());
    }

    /** Compares all values: those of one device can differ when it was listed twice. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DeviceInfo info && info.properties.equals(properties);
    }

    @Override
    public int hashCode() {
        return properties.hashCode();
    }

    /** Returns all values that are not empty. */
    @Override
    public String toString() {
        return new PropertyText("DeviceInfo")
                .add("pciAddress", pciAddress())
                .add("ibDevice", ibDevice())
                .add("networkInterface", networkInterface())
                .add("networkInterfaceIndex", networkInterfaceIndex())
                .add("macAddress", macAddress())
                .add("ipv4", ipv4())
                .add("ipv6", ipv6())
                .add("lid", lid())
                .add("vhcaId", vhcaId())
                .add("functionType", functionType())
                .add("subFunctionIndex", subFunctionIndex())
                .add("uplinkPort", uplinkPort())
                .add("dataDirectPciAddress", dataDirectPciAddress())
                .add("hotplugManager", hotplugManager())
                .add("notificationModeration", notificationModeration())
                .add("acceleratedResourceReclaim", acceleratedResourceReclaim())
                .add("activeRate", activeRate())
                .toString();
    }
}
