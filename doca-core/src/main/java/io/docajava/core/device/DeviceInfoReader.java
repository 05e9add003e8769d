/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import io.docajava.ffi.generated.common.DocaCommon;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;

/** Reads all properties of one native {@code doca_devinfo}. */
final class DeviceInfoReader {

    private static final HexFormat COLONS = HexFormat.ofDelimiter(":");

    private final MemorySegment device;
    private final PropertyReader reader;
    private final MemorySegment out;

    private DeviceInfoReader(MemorySegment device, Arena arena) {
        this.device = device;
        this.reader = new PropertyReader("a device", arena);
        this.out = reader.out();
    }

    static DeviceInfo read(MemorySegment device) {
        try (Arena arena = Arena.ofConfined()) {
            return new DeviceInfoReader(device, arena).read();
        }
    }

    private DeviceInfo read() {
        return new DeviceInfo(new DeviceProperties(
                reader.pciAddress(
                        "doca_devinfo_get_pci_addr_str", () -> DocaCommon.doca_devinfo_get_pci_addr_str(device, out)),
                reader.text(
                        "doca_devinfo_get_ibdev_name",
                        () -> DocaCommon.doca_devinfo_get_ibdev_name(
                                device, out, DocaCommon.DOCA_DEVINFO_IBDEV_NAME_SIZE())),
                reader.text(
                        "doca_devinfo_get_iface_name",
                        () -> DocaCommon.doca_devinfo_get_iface_name(
                                device, out, DocaCommon.DOCA_DEVINFO_IFACE_NAME_SIZE())),
                reader.integer(
                        "doca_devinfo_get_iface_index", () -> DocaCommon.doca_devinfo_get_iface_index(device, out)),
                reader.bytes(
                                "doca_devinfo_get_mac_addr",
                                DocaCommon.DOCA_DEVINFO_MAC_ADDR_SIZE(),
                                size -> DocaCommon.doca_devinfo_get_mac_addr(device, out, size))
                        .map(COLONS::formatHex),
                reader.bytes(
                                "doca_devinfo_get_ipv4_addr",
                                DocaCommon.DOCA_DEVINFO_IPV4_ADDR_SIZE(),
                                size -> DocaCommon.doca_devinfo_get_ipv4_addr(device, out, size))
                        .filter(DeviceInfoReader::isSet)
                        .map(address -> (Inet4Address) internetAddress(address)),
                reader.bytes(
                                "doca_devinfo_get_ipv6_addr",
                                DocaCommon.DOCA_DEVINFO_IPV6_ADDR_SIZE(),
                                size -> DocaCommon.doca_devinfo_get_ipv6_addr(device, out, size))
                        .filter(DeviceInfoReader::isSet)
                        .map(DeviceInfoReader::internetAddress)
                        .filter(Inet6Address.class::isInstance)
                        .map(Inet6Address.class::cast),
                reader.shortInteger("doca_devinfo_get_lid", () -> DocaCommon.doca_devinfo_get_lid(device, out)),
                reader.shortInteger("doca_devinfo_get_vhca_id", () -> DocaCommon.doca_devinfo_get_vhca_id(device, out)),
                reader.functionType(
                        "doca_devinfo_get_pci_func_type", () -> DocaCommon.doca_devinfo_get_pci_func_type(device, out)),
                reader.integer("doca_devinfo_get_sf_index", () -> DocaCommon.doca_devinfo_get_sf_index(device, out)),
                reader.shortInteger(
                        "doca_devinfo_get_uplink_ib_port",
                        () -> DocaCommon.doca_devinfo_get_uplink_ib_port(device, out)),
                reader.text(
                                "doca_devinfo_get_data_direct_pci_dev",
                                () -> DocaCommon.doca_devinfo_get_data_direct_pci_dev(device, out))
                        .map(PciAddress::parse),
                reader.flag(
                        "doca_devinfo_cap_is_hotplug_manager_supported",
                        () -> DocaCommon.doca_devinfo_cap_is_hotplug_manager_supported(device, out)),
                reader.flag(
                        "doca_devinfo_cap_is_notification_moderation_supported",
                        () -> DocaCommon.doca_devinfo_cap_is_notification_moderation_supported(device, out)),
                reader.flag(
                        "doca_devinfo_cap_is_accelerate_resource_reclaim_supported",
                        () -> DocaCommon.doca_devinfo_cap_is_accelerate_resource_reclaim_supported(device, out)),
                reader.longInteger(
                        "doca_devinfo_get_active_rate", () -> DocaCommon.doca_devinfo_get_active_rate(device, out))));
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
}
