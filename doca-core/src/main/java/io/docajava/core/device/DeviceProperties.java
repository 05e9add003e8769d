/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** The values of a {@link DeviceInfo}. */
record DeviceProperties(
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
        OptionalLong activeRate) {}
