/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.docajava.ffi.DocaVersion;
import io.docajava.ffi.declarations.Bindings;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FunctionTableTest {

    private final FunctionTable table = FunctionTable.get();

    @Test
    void listsExactlyTheFunctionsThatAreBoundEachForItsLibrary() {
        TreeMap<String, String> bound = new TreeMap<>();
        for (String library : Bindings.LIBRARIES) {
            new Bindings(library).functions().keySet().forEach(function -> bound.put(function, library));
        }

        assertThat(table.functions().stream()
                        .collect(Collectors.toMap(FunctionTable.Entry::function, FunctionTable.Entry::library)))
                .isEqualTo(bound);
    }

    @Test
    void namesAReleaseForEachFunction() {
        assertThat(table.functions())
                .allSatisfy(entry -> assertThat(DocaVersion.parse(entry.since()).isAtLeast(2, 5))
                        .as(entry.function())
                        // The only one that all releases have.
                        .isEqualTo(!entry.function().equals("doca_version_runtime")))
                .allSatisfy(entry -> assertThat(entry.otherSignatureSince() == null
                                || DocaVersion.parse(entry.otherSignatureSince())
                                                .compareTo(DocaVersion.parse(entry.since()))
                                        < 0)
                        .isTrue());
    }

    @ParameterizedTest
    @CsvSource({
        "doca_pe_progress, common, 2.5,,,",
        "doca_task_submit_ex, common, 2.9,,,",
        "doca_dma_set_ordered_completions, dma, 3.2,,,",
        "doca_rdma_export, rdma, 2.9, 2.5,,",
        "doca_rdma_task_read_allocate_init, rdma, 2.9, 2.5,,",
        "doca_buf_arr_set_params, common, 2.9, 2.5,,",
        "doca_devinfo_get_active_rate, common, 2.9, 2.6,,",
        "doca_sync_event_export_to_remote_pci, common, 2.7,, doca_sync_event_export_to_dpu,",
        "doca_sync_event_task_wait_gt_alloc_init, common, 2.5,,, 3.0"
    })
    void reportsTheReleaseSinceWhichAFunctionIsCompatible(
            String function, String library, String since, String other, String former, String lacked) {
        assertThat(table.function(function))
                .isEqualTo(new FunctionTable.Entry(library, function, since, other, former, lacked));
    }

    @Test
    void knowsTheFourLibraries() {
        assertThat(table.libraries()).isEqualTo(Set.copyOf(Bindings.LIBRARIES));
    }

    @Test
    void refusesAFunctionThatItDoesNotKnow() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> table.function("doca_pe_progres"))
                .withMessage("doca-java knows no DOCA function \"doca_pe_progres\"");
    }
}
