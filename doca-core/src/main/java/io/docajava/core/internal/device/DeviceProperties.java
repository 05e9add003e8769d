/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.device;

import io.docajava.core.device.DeviceInfo;
import io.docajava.core.device.PciAddress;
import io.docajava.core.device.PciFunctionType;
import io.docajava.ffi.generated.common.DocaCommon;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** The properties of one native {@code doca_devinfo}. */
public record DeviceProperties(
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
        OptionalLong activeRate)
        implements DeviceInfo {

    private static final HexFormat COLONS = HexFormat.ofDelimiter(":");

    static DeviceInfo read(MemorySegment device) {
        int ibDeviceSize = DocaCommon.DOCA_DEVINFO_IBDEV_NAME_SIZE();
        int interfaceSize = DocaCommon.DOCA_DEVINFO_IFACE_NAME_SIZE();
        int macSize = DocaCommon.DOCA_DEVINFO_MAC_ADDR_SIZE();
        int ipv4Size = DocaCommon.DOCA_DEVINFO_IPV4_ADDR_SIZE();
        int ipv6Size = DocaCommon.DOCA_DEVINFO_IPV6_ADDR_SIZE();
        try (Arena arena = Arena.ofConfined()) {
            PropertyReader reader = new PropertyReader("a device", device, arena);
            return new DeviceProperties(
                    reader.pciAddress("doca_devinfo_get_pci_addr_str", DocaCommon::doca_devinfo_get_pci_addr_str),
                    reader.text("doca_devinfo_get_ibdev_name", DocaCommon::doca_devinfo_get_ibdev_name, ibDeviceSize),
                    reader.text("doca_devinfo_get_iface_name", DocaCommon::doca_devinfo_get_iface_name, interfaceSize),
                    reader.integer("doca_devinfo_get_iface_index", DocaCommon::doca_devinfo_get_iface_index),
                    reader.bytes("doca_devinfo_get_mac_addr", DocaCommon::doca_devinfo_get_mac_addr, macSize)
                            .map(COLONS::formatHex),
                    reader.bytes("doca_devinfo_get_ipv4_addr", DocaCommon::doca_devinfo_get_ipv4_addr, ipv4Size)
                            .filter(DeviceProperties::isSet)
                            .map(address -> (Inet4Address) internetAddress(address)),
                    reader.bytes("doca_devinfo_get_ipv6_addr", DocaCommon::doca_devinfo_get_ipv6_addr, ipv6Size)
                            .filter(DeviceProperties::isSet)
                            .map(DeviceProperties::internetAddress)
                            .filter(Inet6Address.class::isInstance)
                            .map(Inet6Address.class::cast),
                    reader.shortInteger("doca_devinfo_get_lid", DocaCommon::doca_devinfo_get_lid),
                    reader.shortInteger("doca_devinfo_get_vhca_id", DocaCommon::doca_devinfo_get_vhca_id),
                    reader.functionType("doca_devinfo_get_pci_func_type", DocaCommon::doca_devinfo_get_pci_func_type),
                    reader.integer("doca_devinfo_get_sf_index", DocaCommon::doca_devinfo_get_sf_index),
                    reader.shortInteger("doca_devinfo_get_uplink_ib_port", DocaCommon::doca_devinfo_get_uplink_ib_port),
                    reader.text(
                                    "doca_devinfo_get_data_direct_pci_dev",
                                    DocaCommon::doca_devinfo_get_data_direct_pci_dev)
                            .map(PciAddress::parse),
                    reader.flag(
                            "doca_devinfo_cap_is_hotplug_manager_supported",
                            DocaCommon::doca_devinfo_cap_is_hotplug_manager_supported),
                    reader.flag(
                            "doca_devinfo_cap_is_notification_moderation_supported",
                            DocaCommon::doca_devinfo_cap_is_notification_moderation_supported),
                    reader.flag(
                            "doca_devinfo_cap_is_accelerate_resource_reclaim_supported",
                            DocaCommon::doca_devinfo_cap_is_accelerate_resource_reclaim_supported),
                    reader.longInteger("doca_devinfo_get_active_rate", DocaCommon::doca_devinfo_get_active_rate));
        }
    }

    /** Some releases return an address of zeros if there is none. */
    private static boolean isSet(byte[] address) {
        return !Arrays.equals(address, new byte[address.length]);
    }

    private static InetAddress internetAddress(byte[] address) {
        try {
            return InetAddress.getByAddress(address);
        } catch (UnknownHostException e) {
            throw new AssertionError("An address of " + address.length + " bytes", e);
        }
    }

    /** Returns whether both describe the same device. Its network addresses and rate may differ. */
    static boolean isSameDevice(DeviceInfo info, DeviceInfo other) {
        return info.pciAddress().equals(other.pciAddress())
                && info.ibDevice().equals(other.ibDevice())
                && info.functionType().equals(other.functionType())
                && info.subFunctionIndex().equals(other.subFunctionIndex());
    }

    @Override
    public String toString() {
        return PropertyText.of("DeviceInfo", this);
    }
}
