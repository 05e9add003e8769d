/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a device at the time when the devices were listed. A value that the device does not have, or that the loaded
 * SDK does not provide, is empty or false. Later releases may add values. Instances are immutable.
 */
public final class DeviceInfo {

    private final DeviceProperties properties;

    DeviceInfo(DeviceProperties properties) {
        this.properties = properties;
    }

    /**
     * {@return the PCI address of the device ({@code doca_devinfo_get_pci_addr_str}); for a scalable function the address of its
     * physical function}
     */
    public PciAddress pciAddress() {
        return properties.pciAddress();
    }

    /** {@return the name of its InfiniBand device, such as {@code mlx5_0} ({@code doca_devinfo_get_ibdev_name})} */
    public Optional<String> ibDevice() {
        return properties.ibDevice();
    }

    /** {@return the name of its network interface, such as {@code p0} ({@code doca_devinfo_get_iface_name})} */
    public Optional<String> networkInterface() {
        return properties.networkInterface();
    }

    /** {@return the index of its network interface in the operating system ({@code doca_devinfo_get_iface_index}, DOCA 3.4)} */
    public OptionalInt networkInterfaceIndex() {
        return properties.networkInterfaceIndex();
    }

    /** {@return its Ethernet address, such as {@code 02:00:00:00:03:00} ({@code doca_devinfo_get_mac_addr})} */
    public Optional<String> macAddress() {
        return properties.macAddress();
    }

    /** {@return the IPv4 address of its network interface ({@code doca_devinfo_get_ipv4_addr}); empty if it has none} */
    public Optional<Inet4Address> ipv4() {
        return properties.ipv4();
    }

    /** {@return the IPv6 address of its network interface ({@code doca_devinfo_get_ipv6_addr}); empty if it has none} */
    public Optional<Inet6Address> ipv6() {
        return properties.ipv6();
    }

    /** {@return its InfiniBand local identifier, from 0 to 65535 ({@code doca_devinfo_get_lid})} */
    public OptionalInt lid() {
        return properties.lid();
    }

    /**
     * {@return the number that the card assigns to the function, from 0 to 65535 ({@code doca_devinfo_get_vhca_id}, DOCA 3.0)}
     */
    public OptionalInt vhcaId() {
        return properties.vhcaId();
    }

    /**
     * {@return the kind of PCI function ({@code doca_devinfo_get_pci_func_type}, DOCA 3.1); empty also for a kind that doca-java does
     * not know}
     */
    public Optional<PciFunctionType> functionType() {
        return properties.functionType();
    }

    /** {@return the number of a scalable function ({@code doca_devinfo_get_sf_index}, DOCA 3.1); empty for other functions} */
    public OptionalInt subFunctionIndex() {
        return properties.subFunctionIndex();
    }

    /** {@return the number of the InfiniBand port of its uplink ({@code doca_devinfo_get_uplink_ib_port}, DOCA 3.4)} */
    public OptionalInt uplinkPort() {
        return properties.uplinkPort();
    }

    /**
     * {@return the address of the PCI function over which the device moves data directly, instead of over {@link #pciAddress()}
     * ({@code doca_devinfo_get_data_direct_pci_dev}, DOCA 3.4)}
     */
    public Optional<PciAddress> dataDirectPciAddress() {
        return properties.dataDirectPciAddress();
    }

    /**
     * {@return whether the device can add emulated functions to a running host ({@code
     * doca_devinfo_cap_is_hotplug_manager_supported})}
     */
    public boolean hotplugManager() {
        return properties.hotplugManager();
    }

    /**
     * {@return whether the device can signal several completions by one notification ({@code
     * doca_devinfo_cap_is_notification_moderation_supported}, DOCA 3.0)}
     */
    public boolean notificationModeration() {
        return properties.notificationModeration();
    }

    /**
     * {@return whether the device can free its resources faster ({@code
     * doca_devinfo_cap_is_accelerate_resource_reclaim_supported}, DOCA 3.0)}
     */
    public boolean acceleratedResourceReclaim() {
        return properties.acceleratedResourceReclaim();
    }

    /** {@return the rate of its port in bits per second ({@code doca_devinfo_get_active_rate}, DOCA 2.9)} */
    public OptionalLong activeRate() {
        return properties.activeRate();
    }

    /** {@return the name of the device in messages, such as {@code 0000:03:00.0 (mlx5_0)}; without an InfiniBand name only the address} */
    public String displayName() {
        return ibDevice().map(name -> pciAddress() + " (" + name + ")").orElseGet(pciAddress()::toString);
    }

    /** Returns whether both describe the same device. Its network addresses and rate may differ. */
    boolean isSameDeviceAs(DeviceInfo other) {
        return pciAddress().equals(other.pciAddress())
                && ibDevice().equals(other.ibDevice())
                && functionType().equals(other.functionType())
                && subFunctionIndex().equals(other.subFunctionIndex());
    }

    /** Compares all values. Two descriptions of one device can differ, if its values have changed in between. */
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
