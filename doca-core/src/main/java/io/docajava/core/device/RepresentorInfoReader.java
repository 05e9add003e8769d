/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import io.docajava.ffi.generated.common.DocaCommon;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads all properties of one native {@code doca_devinfo_rep}. */
final class RepresentorInfoReader {

    private final MemorySegment representor;
    private final PropertyReader reader;
    private final MemorySegment out;

    private RepresentorInfoReader(MemorySegment representor, Arena arena) {
        this.representor = representor;
        this.reader = new PropertyReader("a representor", arena);
        this.out = reader.out();
    }

    static RepresentorInfo read(MemorySegment representor) {
        try (Arena arena = Arena.ofConfined()) {
            return new RepresentorInfoReader(representor, arena).read();
        }
    }

    private RepresentorInfo read() {
        return new RepresentorInfo(new RepresentorProperties(
                reader.pciAddress(
                        "doca_devinfo_rep_get_pci_addr_str",
                        () -> DocaCommon.doca_devinfo_rep_get_pci_addr_str(representor, out)),
                vuid("doca_devinfo_rep_get_vuid", DocaCommon::doca_devinfo_rep_get_vuid),
                reader.text(
                        "doca_devinfo_rep_get_iface_name",
                        () -> DocaCommon.doca_devinfo_rep_get_iface_name(
                                representor, out, DocaCommon.DOCA_DEVINFO_IFACE_NAME_SIZE())),
                integer("doca_devinfo_rep_get_iface_index", DocaCommon::doca_devinfo_rep_get_iface_index),
                reader.functionType(
                        "doca_devinfo_rep_get_pci_func_type",
                        () -> DocaCommon.doca_devinfo_rep_get_pci_func_type(representor, out)),
                integer("doca_devinfo_rep_get_host_index", DocaCommon::doca_devinfo_rep_get_host_index),
                integer("doca_devinfo_rep_get_pf_index", DocaCommon::doca_devinfo_rep_get_pf_index),
                vuid("doca_devinfo_rep_get_pf_vuid", DocaCommon::doca_devinfo_rep_get_pf_vuid),
                integer("doca_devinfo_rep_get_vf_index", DocaCommon::doca_devinfo_rep_get_vf_index),
                integer("doca_devinfo_rep_get_sf_index", DocaCommon::doca_devinfo_rep_get_sf_index),
                integer("doca_devinfo_rep_get_total_vfs", DocaCommon::doca_devinfo_rep_get_total_vfs),
                shortInteger("doca_devinfo_rep_get_vhca_id", DocaCommon::doca_devinfo_rep_get_vhca_id),
                shortInteger("doca_devinfo_rep_get_ib_port", DocaCommon::doca_devinfo_rep_get_ib_port),
                reader.text(
                                "doca_devinfo_rep_get_data_direct_pci_dev",
                                () -> DocaCommon.doca_devinfo_rep_get_data_direct_pci_dev(representor, out))
                        .map(PciAddress::parse),
                flag("doca_devinfo_rep_get_is_hotplug", DocaCommon::doca_devinfo_rep_get_is_hotplug),
                flag(
                        "doca_devinfo_rep_get_is_uplink_representor",
                        DocaCommon::doca_devinfo_rep_get_is_uplink_representor)));
    }

    private Optional<String> vuid(String function, TextGetter getter) {
        return reader.text(function, () -> getter.get(representor, out, DocaCommon.DOCA_DEVINFO_REP_VUID_SIZE()));
    }

    private OptionalInt integer(String function, Getter getter) {
        return reader.integer(function, () -> getter.get(representor, out));
    }

    private OptionalInt shortInteger(String function, Getter getter) {
        return reader.shortInteger(function, () -> getter.get(representor, out));
    }

    private boolean flag(String function, Getter getter) {
        return reader.flag(function, () -> getter.get(representor, out));
    }

    private interface Getter {
        int get(MemorySegment representor, MemorySegment out);
    }

    private interface TextGetter {
        int get(MemorySegment representor, MemorySegment out, int size);
    }
}
