/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import java.util.Optional;
import java.util.OptionalInt;

/** The values of a {@link RepresentorInfo}. */
record RepresentorProperties(
        PciAddress pciAddress,
        Optional<String> vuid,
        Optional<String> networkInterface,
        OptionalInt networkInterfaceIndex,
        Optional<PciFunctionType> functionType,
        OptionalInt hostIndex,
        OptionalInt physicalFunctionIndex,
        Optional<String> physicalFunctionVuid,
        OptionalInt virtualFunctionIndex,
        OptionalInt subFunctionIndex,
        OptionalInt virtualFunctions,
        OptionalInt vhcaId,
        OptionalInt infiniBandPort,
        Optional<PciAddress> dataDirectPciAddress,
        boolean hotplug,
        boolean uplink) {}
