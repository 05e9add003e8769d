/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import io.docajava.core.internal.device.DeviceProperties;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The properties of a device at the time when the devices were listed. A value that the device does not have, or that the loaded
 * SDK does not provide, is empty or false. Later releases may add values. Instances are immutable.
 *
 * <p>Two descriptions are equal if all values are. Those of one device differ if its values have changed in between. The text of a
 * description has all values that are not empty.
 */
public sealed interface DeviceInfo permits DeviceProperties {

    /** {@return the PCI address ({@code doca_devinfo_get_pci_addr_str}); for a scalable function that of its physical function} */
    PciAddress pciAddress();

    /** {@return the name of its InfiniBand device, such as {@code mlx5_0} ({@code doca_devinfo_get_ibdev_name})} */
    Optional<String> ibDevice();

    /** {@return the name of its network interface, such as {@code p0} ({@code doca_devinfo_get_iface_name})} */
    Optional<String> networkInterface();

    /** {@return the index of its network interface in the operating system ({@code doca_devinfo_get_iface_index}, DOCA 3.3)} */
    OptionalInt networkInterfaceIndex();

    /** {@return its Ethernet address, such as {@code 02:00:00:00:03:00} ({@code doca_devinfo_get_mac_addr})} */
    Optional<String> macAddress();

    /** {@return the IPv4 address of its network interface ({@code doca_devinfo_get_ipv4_addr}); empty if it has none} */
    Optional<Inet4Address> ipv4();

    /** {@return the IPv6 address of its network interface ({@code doca_devinfo_get_ipv6_addr}); empty if it has none} */
    Optional<Inet6Address> ipv6();

    /** {@return its InfiniBand local identifier, from 0 to 65535 ({@code doca_devinfo_get_lid})} */
    OptionalInt lid();

    /** {@return the card's number for the function, from 0 to 65535 ({@code doca_devinfo_get_vhca_id}, DOCA 3.0)} */
    OptionalInt vhcaId();

    /** {@return the kind of PCI function ({@code doca_devinfo_get_pci_func_type}, DOCA 3.1); empty also for an unknown kind} */
    Optional<PciFunctionType> functionType();

    /** {@return the number of a scalable function ({@code doca_devinfo_get_sf_index}, DOCA 3.1); empty for other functions} */
    OptionalInt subFunctionIndex();

    /** {@return the number of the InfiniBand port of its uplink ({@code doca_devinfo_get_uplink_ib_port}, DOCA 3.3)} */
    OptionalInt uplinkPort();

    /**
     * {@return the address of the PCI function over which the device moves data directly, instead of over {@link #pciAddress()}
     * ({@code doca_devinfo_get_data_direct_pci_dev}, DOCA 3.3)}
     */
    Optional<PciAddress> dataDirectPciAddress();

    /** {@return whether it can add emulated functions to a running host ({@code doca_devinfo_cap_is_hotplug_manager_supported})} */
    boolean hotplugManager();

    /**
     * {@return whether the device can signal several completions by one notification ({@code
     * doca_devinfo_cap_is_notification_moderation_supported}, DOCA 3.0)}
     */
    boolean notificationModeration();

    /**
     * {@return whether the device can free its resources faster ({@code
     * doca_devinfo_cap_is_accelerate_resource_reclaim_supported}, DOCA 3.0)}
     */
    boolean acceleratedResourceReclaim();

    /** {@return the rate of its port in bits per second ({@code doca_devinfo_get_active_rate}, DOCA 2.9)} */
    OptionalLong activeRate();

    /**
     * {@return the name of the device in messages, such as {@code 0000:03:00.0 (mlx5_0)}; without an InfiniBand name only the
     * address}
     */
    default String displayName() {
        return ibDevice().map(name -> pciAddress() + " (" + name + ")").orElseGet(pciAddress()::toString);
    }
}
