/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.device;

import io.docajava.core.device.PciAddress;
import io.docajava.core.device.PciFunctionType;
import io.docajava.core.device.RepresentorInfo;
import io.docajava.ffi.generated.common.DocaCommon;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.OptionalInt;

/** The properties of one native {@code doca_devinfo_rep}. */
public record RepresentorProperties(
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
        boolean uplink)
        implements RepresentorInfo {

    static RepresentorInfo read(MemorySegment representor) {
        int vuidSize = DocaCommon.DOCA_DEVINFO_REP_VUID_SIZE();
        try (Arena arena = Arena.ofConfined()) {
            PropertyReader reader = new PropertyReader("a representor", representor, arena);
            return new RepresentorProperties(
                    reader.pciAddress(
                            "doca_devinfo_rep_get_pci_addr_str", DocaCommon::doca_devinfo_rep_get_pci_addr_str),
                    reader.text("doca_devinfo_rep_get_vuid", DocaCommon::doca_devinfo_rep_get_vuid, vuidSize),
                    reader.text(
                            "doca_devinfo_rep_get_iface_name",
                            DocaCommon::doca_devinfo_rep_get_iface_name,
                            DocaCommon.DOCA_DEVINFO_IFACE_NAME_SIZE()),
                    reader.integer("doca_devinfo_rep_get_iface_index", DocaCommon::doca_devinfo_rep_get_iface_index),
                    reader.functionType(
                            "doca_devinfo_rep_get_pci_func_type", DocaCommon::doca_devinfo_rep_get_pci_func_type),
                    reader.integer("doca_devinfo_rep_get_host_index", DocaCommon::doca_devinfo_rep_get_host_index),
                    reader.integer("doca_devinfo_rep_get_pf_index", DocaCommon::doca_devinfo_rep_get_pf_index),
                    reader.text("doca_devinfo_rep_get_pf_vuid", DocaCommon::doca_devinfo_rep_get_pf_vuid, vuidSize),
                    reader.integer("doca_devinfo_rep_get_vf_index", DocaCommon::doca_devinfo_rep_get_vf_index),
                    reader.integer("doca_devinfo_rep_get_sf_index", DocaCommon::doca_devinfo_rep_get_sf_index),
                    reader.integer("doca_devinfo_rep_get_total_vfs", DocaCommon::doca_devinfo_rep_get_total_vfs),
                    reader.shortInteger("doca_devinfo_rep_get_vhca_id", DocaCommon::doca_devinfo_rep_get_vhca_id),
                    reader.shortInteger("doca_devinfo_rep_get_ib_port", DocaCommon::doca_devinfo_rep_get_ib_port),
                    reader.text(
                                    "doca_devinfo_rep_get_data_direct_pci_dev",
                                    DocaCommon::doca_devinfo_rep_get_data_direct_pci_dev)
                            .map(PciAddress::parse),
                    reader.flag("doca_devinfo_rep_get_is_hotplug", DocaCommon::doca_devinfo_rep_get_is_hotplug),
                    reader.flag(
                            "doca_devinfo_rep_get_is_uplink_representor",
                            DocaCommon::doca_devinfo_rep_get_is_uplink_representor));
        }
    }

    /** Returns whether both describe the same function. Other values may differ. */
    static boolean isSameFunction(RepresentorInfo info, RepresentorInfo other) {
        return info.pciAddress().equals(other.pciAddress()) && info.vuid().equals(other.vuid());
    }

    @Override
    public String toString() {
        return PropertyText.of("RepresentorInfo", this);
    }
}
