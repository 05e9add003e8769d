/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.docajava.core.DocaError;
import io.docajava.core.internal.call.Calls;
import io.docajava.ffi.DocaLibrary;
import io.docajava.ffi.generated.common.DocaCommon;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads all properties of one native {@code doca_devinfo}. */
final class DeviceInfoReader {

    private static final Logger LOG = LoggerFactory.getLogger(Device.class);

    private static final HexFormat COLONS = HexFormat.ofDelimiter(":");

    private final MemorySegment device;
    private final MemorySegment out;

    private DeviceInfoReader(MemorySegment device, Arena arena) {
        this.device = device;
        // The longest value there is, and a terminator should the SDK have had no room for one.
        this.out = arena.allocate(DocaCommon.DOCA_DEVINFO_IFACE_NAME_SIZE() + 1, Long.BYTES);
    }

    static DeviceInfo read(MemorySegment device) {
        try (Arena arena = Arena.ofConfined()) {
            return new DeviceInfoReader(device, arena).read();
        }
    }

    private DeviceInfo read() {
        return new DeviceInfo(
                pciAddress(),
                text(
                        "doca_devinfo_get_ibdev_name",
                        () -> DocaCommon.doca_devinfo_get_ibdev_name(
                                device, out, DocaCommon.DOCA_DEVINFO_IBDEV_NAME_SIZE())),
                text(
                        "doca_devinfo_get_iface_name",
                        () -> DocaCommon.doca_devinfo_get_iface_name(
                                device, out, DocaCommon.DOCA_DEVINFO_IFACE_NAME_SIZE())),
                integer("doca_devinfo_get_iface_index", () -> DocaCommon.doca_devinfo_get_iface_index(device, out)),
                bytes(
                                "doca_devinfo_get_mac_addr",
                                DocaCommon.DOCA_DEVINFO_MAC_ADDR_SIZE(),
                                size -> DocaCommon.doca_devinfo_get_mac_addr(device, out, size))
                        .map(COLONS::formatHex),
                bytes(
                                "doca_devinfo_get_ipv4_addr",
                                DocaCommon.DOCA_DEVINFO_IPV4_ADDR_SIZE(),
                                size -> DocaCommon.doca_devinfo_get_ipv4_addr(device, out, size))
                        .filter(DeviceInfoReader::isSet)
                        .map(address -> (Inet4Address) internetAddress(address)),
                bytes(
                                "doca_devinfo_get_ipv6_addr",
                                DocaCommon.DOCA_DEVINFO_IPV6_ADDR_SIZE(),
                                size -> DocaCommon.doca_devinfo_get_ipv6_addr(device, out, size))
                        .filter(DeviceInfoReader::isSet)
                        .map(DeviceInfoReader::internetAddress)
                        .filter(Inet6Address.class::isInstance)
                        .map(Inet6Address.class::cast),
                shortInteger("doca_devinfo_get_lid", () -> DocaCommon.doca_devinfo_get_lid(device, out)),
                shortInteger("doca_devinfo_get_vhca_id", () -> DocaCommon.doca_devinfo_get_vhca_id(device, out)),
                functionType(),
                integer("doca_devinfo_get_sf_index", () -> DocaCommon.doca_devinfo_get_sf_index(device, out)),
                shortInteger(
                        "doca_devinfo_get_uplink_ib_port",
                        () -> DocaCommon.doca_devinfo_get_uplink_ib_port(device, out)),
                text(
                                "doca_devinfo_get_data_direct_pci_dev",
                                () -> DocaCommon.doca_devinfo_get_data_direct_pci_dev(device, out))
                        .map(PciAddress::parse),
                flag(
                        "doca_devinfo_cap_is_hotplug_manager_supported",
                        () -> DocaCommon.doca_devinfo_cap_is_hotplug_manager_supported(device, out)),
                flag(
                        "doca_devinfo_cap_is_notification_moderation_supported",
                        () -> DocaCommon.doca_devinfo_cap_is_notification_moderation_supported(device, out)),
                flag(
                        "doca_devinfo_cap_is_accelerate_resource_reclaim_supported",
                        () -> DocaCommon.doca_devinfo_cap_is_accelerate_resource_reclaim_supported(device, out)),
                activeRate());
    }

    private PciAddress pciAddress() {
        Calls.check(
                DocaCommon.doca_devinfo_get_pci_addr_str(device, out),
                "doca_devinfo_get_pci_addr_str",
                "reading the PCI address of a device");
        return PciAddress.parse(out.getString(0, StandardCharsets.UTF_8));
    }

    private Optional<PciFunctionType> functionType() {
        OptionalInt type =
                integer("doca_devinfo_get_pci_func_type", () -> DocaCommon.doca_devinfo_get_pci_func_type(device, out));
        if (type.isEmpty()) {
            return Optional.empty();
        }
        return switch (type.getAsInt()) {
            case 0 -> Optional.of(PciFunctionType.PHYSICAL);
            case 1 -> Optional.of(PciFunctionType.VIRTUAL);
            case 2 -> Optional.of(PciFunctionType.SCALABLE);
            default -> Optional.empty();
        };
    }

    private OptionalLong activeRate() {
        return has("doca_devinfo_get_active_rate", () -> DocaCommon.doca_devinfo_get_active_rate(device, out))
                ? OptionalLong.of(out.get(JAVA_LONG, 0))
                : OptionalLong.empty();
    }

    private Optional<String> text(String function, Call call) {
        if (!has(function, call)) {
            return Optional.empty();
        }
        String text = out.getString(0, StandardCharsets.UTF_8);
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    private OptionalInt integer(String function, Call call) {
        return has(function, call) ? OptionalInt.of(out.get(JAVA_INT, 0)) : OptionalInt.empty();
    }

    private OptionalInt shortInteger(String function, Call call) {
        return has(function, call) ? OptionalInt.of(Short.toUnsignedInt(out.get(JAVA_SHORT, 0))) : OptionalInt.empty();
    }

    private boolean flag(String function, Call call) {
        return has(function, call) && out.get(JAVA_BYTE, 0) != 0;
    }

    private Optional<byte[]> bytes(String function, int size, SizedCall call) {
        return has(function, () -> call.on(size))
                ? Optional.of(out.asSlice(0, size).toArray(JAVA_BYTE))
                : Optional.empty();
    }

    /** Calls a getter into {@link #out}: false where the SDK lacks it or the device has no such value. */
    private boolean has(String function, Call call) {
        if (!DocaLibrary.load().has(function)) {
            return false;
        }
        out.fill((byte) 0);
        return Calls.probe(() -> succeeds(function, call));
    }

    /** One property that cannot be read must not hide the device. */
    private static boolean succeeds(String function, Call call) {
        int result = call.result();
        if (result == DocaError.SUCCESS.code()) {
            return true;
        }
        if (result != DocaError.NOT_SUPPORTED.code() && result != DocaError.NOT_FOUND.code() && LOG.isDebugEnabled()) {
            LOG.debug(
                    "{}",
                    Calls.failure(result, function, "reading a property of a device")
                            .getMessage());
        }
        return false;
    }

    /** An address of zeros is how some releases say that there is none. */
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

    private interface Call {
        int result();
    }

    private interface SizedCall {
        int on(int size);
    }
}
