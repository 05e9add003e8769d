/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.ffi.DocaVersion;
import io.docajava.ffi.testing.FakeSdk;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SdkVersionTest {

    @TempDir
    private Path folder;

    private SdkVersion.Handshake handshake(FakeSdk sdk) throws DynamicLoader.LoadFailure {
        Path file = sdk.compile(folder.resolve("libdoca_common.so.2"));
        return SdkVersion.of(new DynamicLoader().open(file.toString()));
    }

    @Test
    void takesTheVersionThatIsReported() throws Exception {
        assertThat(handshake(FakeSdk.common("2.10.0087")))
                .isEqualTo(new SdkVersion.Handshake(
                        new DocaVersion(2, 10, 87), SdkVersion.Generation.PROGRESS_ENGINE, ""));
    }

    @ParameterizedTest
    @CsvSource({
        "2, 5, doca_log_backend_create_with_buffer",
        "2, 6, doca_log_backend_create_with_buf",
        "2, 7, doca_sync_event_export_to_remote_pci",
        "2, 9, doca_task_submit_ex",
        "3, 1, doca_devinfo_get_pci_func_type",
        "3, 2, doca_mmap_get_mkey"
    })
    void knowsALibraryThatReportsNoneByItsFunctions(int major, int minor, String function) throws Exception {
        FakeSdk sdk = new FakeSdk().functions("doca_pe_connect_ctx", "doca_devinfo_create_list", function);

        assertThat(handshake(sdk))
                .isEqualTo(new SdkVersion.Handshake(
                        new DocaVersion(major, minor, 0), SdkVersion.Generation.PROGRESS_ENGINE, ""));
    }

    @Test
    void takesWhatIsNoVersionAsNoneAtAll() throws Exception {
        assertThat(handshake(FakeSdk.common("an internal build").functions("doca_task_submit_ex")))
                .isEqualTo(
                        new SdkVersion.Handshake(new DocaVersion(2, 9, 0), SdkVersion.Generation.PROGRESS_ENGINE, ""));
    }

    @ParameterizedTest
    @CsvSource({"4, doca_devinfo_property_get", "5, doca_devinfo_get_pci_addr"})
    void knowsALibraryOfTheFirstReleasesThatCanBeTranslated(int minor, String function) throws Exception {
        FakeSdk sdk = new FakeSdk().functions("doca_workq_create", "doca_mmap_populate", function);

        assertThat(handshake(sdk))
                .isEqualTo(
                        new SdkVersion.Handshake(new DocaVersion(1, minor, 0), SdkVersion.Generation.WORK_QUEUES, ""));
    }

    @Test
    void refusesAnOldLibraryByWhatItReports() throws Exception {
        assertThat(handshake(FakeSdk.common("1.2.0006")).problem())
                .isEqualTo("is DOCA 1.2.0006, which is too old: doca-java needs 1.3 or later");
    }

    @ParameterizedTest
    @CsvSource({"2.4.9999", "2.2.0080"})
    void refusesALibraryWithoutTheWorkQueuesOfTheReleaseThatItReports(String version) throws Exception {
        assertThat(handshake(FakeSdk.common(version).functions("doca_workq_create"))
                        .problem())
                .isEqualTo("says it is DOCA " + version
                        + ", and lacks doca_mmap_set_memrange, which every DOCA from 2.0 to 2.2 has");
    }

    @ParameterizedTest
    @CsvSource({"2.2.0080, 2.2.0080", "an internal build, 2.0"})
    void knowsALibraryWithWorkQueues(String reported, String version) throws Exception {
        // 2.2 exports these too, for an unfinished engine.
        FakeSdk sdk = new FakeSdk()
                .version(reported)
                .functions("doca_pe_create", "doca_task_submit", "doca_workq_create", "doca_mmap_set_memrange");

        assertThat(handshake(sdk))
                .isEqualTo(new SdkVersion.Handshake(DocaVersion.parse(version), SdkVersion.Generation.WORK_QUEUES, ""));
    }

    @Test
    void refusesALibraryThatLacksWhatEveryReleaseHas() throws Exception {
        assertThat(handshake(new FakeSdk().functions("doca_pe_connect_ctx")).problem())
                .isEqualTo("lacks doca_devinfo_create_list, which every DOCA from 2.5 on has");
    }

    @Test
    void saysWhatALibraryThatLacksSomethingReports() throws Exception {
        assertThat(handshake(new FakeSdk().version("3.0.0058")).problem())
                .isEqualTo("lacks doca_pe_connect_ctx and doca_devinfo_create_list, which every DOCA from 2.5 on has;"
                        + " it says it is DOCA 3.0.0058");
    }
}
