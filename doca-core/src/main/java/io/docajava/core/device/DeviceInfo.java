/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What is known of a device, as it was when the devices were listed. A value that the device does not have, or that the
 * loaded SDK cannot tell, is empty.
 *
 * @param pciAddress its place on the PCI bus ({@code doca_devinfo_get_pci_addr_str}); scalable functions share that of
 *     their physical function
 * @param ibDevice its name as an InfiniBand device, such as {@code mlx5_0} ({@code doca_devinfo_get_ibdev_name})
 * @param networkInterface the name of its network interface, such as {@code p0} ({@code doca_devinfo_get_iface_name})
 * @param networkInterfaceIndex the index of that interface ({@code doca_devinfo_get_iface_index}, DOCA 3.4)
 * @param macAddress its Ethernet address, such as {@code 02:00:00:00:03:00} ({@code doca_devinfo_get_mac_addr})
 * @param ipv4 the IPv4 address of its interface ({@code doca_devinfo_get_ipv4_addr})
 * @param ipv6 the IPv6 address of its interface ({@code doca_devinfo_get_ipv6_addr})
 * @param lid its InfiniBand local identifier ({@code doca_devinfo_get_lid})
 * @param vhcaId its number on the card ({@code doca_devinfo_get_vhca_id}, DOCA 3.0)
 * @param functionType what kind of function it is ({@code doca_devinfo_get_pci_func_type}, DOCA 3.1)
 * @param subFunctionIndex the number of a scalable function ({@code doca_devinfo_get_sf_index}, DOCA 3.1)
 * @param uplinkPort the InfiniBand port of its uplink ({@code doca_devinfo_get_uplink_ib_port}, DOCA 3.4)
 * @param dataDirectPciAddress the place of the function that moves its data directly, past the one named above ({@code
 *     doca_devinfo_get_data_direct_pci_dev}, DOCA 3.4)
 * @param hotplugManager whether it can plug emulated functions into the host while that runs ({@code
 *     doca_devinfo_cap_is_hotplug_manager_supported})
 * @param notificationModeration whether it can gather notifications ({@code
 *     doca_devinfo_cap_is_notification_moderation_supported}, DOCA 3.0)
 * @param acceleratedResourceReclaim whether it can give resources back faster ({@code
 *     doca_devinfo_cap_is_accelerate_resource_reclaim_supported}, DOCA 3.0)
 * @param activeRate the rate of its port in bits a second ({@code doca_devinfo_get_active_rate}, DOCA 2.9)
 */
public record DeviceInfo(
        PciAddress pciAddress,
        Optional<String> ibDevice,
        Optional<String> networkInterface,
        OptionalInt networkInterfaceIndex,
        Optional<String> macAddress,
        Optional<Inet4Address> ipv4,
        Optional<Inet6Address> ipv6,
        OptionalInt lid,
        OptionalInt vhcaId,
        Optional<PciFunctionType> functionType,
        OptionalInt subFunctionIndex,
        OptionalInt uplinkPort,
        Optional<PciAddress> dataDirectPciAddress,
        boolean hotplugManager,
        boolean notificationModeration,
        boolean acceleratedResourceReclaim,
        OptionalLong activeRate) {

    /** Checks the components. */
    public DeviceInfo {
        Objects.requireNonNull(pciAddress, "pciAddress");
        Objects.requireNonNull(ibDevice, "ibDevice");
        Objects.requireNonNull(networkInterface, "networkInterface");
        Objects.requireNonNull(networkInterfaceIndex, "networkInterfaceIndex");
        Objects.requireNonNull(macAddress, "macAddress");
        Objects.requireNonNull(ipv4, "ipv4");
        Objects.requireNonNull(ipv6, "ipv6");
        Objects.requireNonNull(lid, "lid");
        Objects.requireNonNull(vhcaId, "vhcaId");
        Objects.requireNonNull(functionType, "functionType");
        Objects.requireNonNull(subFunctionIndex, "subFunctionIndex");
        Objects.requireNonNull(uplinkPort, "uplinkPort");
        Objects.requireNonNull(dataDirectPciAddress, "dataDirectPciAddress");
        Objects.requireNonNull(activeRate, "activeRate");
    }

    /** How messages name the device: {@code 0000:03:00.0 (mlx5_0)}. */
    public String displayName() {
        return ibDevice.map(name -> pciAddress + " (" + name + ")").orElseGet(pciAddress::toString);
    }

    /** Whether both tell of the same device: its addresses and its rate can have changed in between. */
    boolean isSameDeviceAs(DeviceInfo other) {
        return pciAddress.equals(other.pciAddress)
                && ibDevice.equals(other.ibDevice)
                && functionType.equals(other.functionType)
                && subFunctionIndex.equals(other.subFunctionIndex);
    }
}
