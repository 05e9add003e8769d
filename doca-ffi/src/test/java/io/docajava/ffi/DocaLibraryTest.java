/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.docajava.ffi.testing.ChildJvm;
import io.docajava.ffi.testing.FakeEmulator;
import io.docajava.ffi.testing.FakeSdk;
import io.docajava.ffi.testing.LoadingProbe;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the choice of libraries and the messages if none can be loaded, each in a separate JVM. */
@Execution(ExecutionMode.CONCURRENT)
class DocaLibraryTest {

    private static final Path INSTALLED = Path.of("/opt/mellanox/doca");

    private static final String NOT_INSTALLED = """
            No DOCA library was found.
            Tried:
              /opt/mellanox/doca is not a folder
              the loader's search path has no libdoca_common.so.2, .so, .so.3 or .so.1
              the emulator: doca-emulator is neither on the class path nor on the module path
            Install the DOCA SDK, or name its folder with -Ddoca.library.path or DOCA_LIBRARY_PATH; or add the artifact \
            io.docajava:doca-emulator to work without a device.
            """;

    @TempDir
    private Path work;

    private Path folder;

    @BeforeEach
    void createFolder() throws IOException {
        folder = Files.createDirectory(work.resolve("sdk"));
    }

    private Path common() {
        return folder.resolve("libdoca_common.so.2");
    }

    /** Returns the output of a program that loads the libraries of the test's folder. */
    private String load(String... requests) {
        return new ChildJvm().property("doca.library.path", folder).run(LoadingProbe.class, requests);
    }

    private static ChildJvm emulated(ChildJvm jvm, Path services) throws IOException {
        Path file = services.resolve("META-INF/services").resolve(EmulatorProvider.class.getName());
        Files.createDirectories(file.getParent());
        Files.writeString(file, FakeEmulator.class.getName());
        return jvm.classPath(services);
    }

    private static void assumeNothingInstalled() {
        assumeThat(INSTALLED).as("no SDK is installed").doesNotExist();
    }

    @Nested
    class Found {

        @Test
        void anExplicitFolderIsLoaded() {
            FakeSdk.common("3.0.0058").compile(common());

            assertThat(load("load", "path common")).isEqualTo("""
                    SDK 3.0.0058
                    %s
                    """.formatted(common()));
        }

        @Test
        void anExplicitFolderMayBeTheRootOfAnSdk() {
            Path library = folder.resolve("lib64/libdoca_common.so");
            FakeSdk.common("2.9.0072").compile(library);

            assertThat(load("load", "path common")).isEqualTo("SDK 2.9.0072\n%s\n".formatted(library));
        }

        @Test
        void theVariableNamesAFolderTooAndThePropertyIsStronger() throws IOException {
            FakeSdk.common("2.9.0072").compile(common());
            Path other = Files.createDirectory(work.resolve("other"));
            FakeSdk.common("3.1.0105").compile(other.resolve("libdoca_common.so.2"));

            assertThat(new ChildJvm().variable("DOCA_LIBRARY_PATH", folder).run(LoadingProbe.class, "load"))
                    .isEqualTo("SDK 2.9.0072\n");
            assertThat(new ChildJvm()
                            .variable("DOCA_LIBRARY_PATH", folder)
                            .property("doca.library.path", other)
                            .run(LoadingProbe.class, "load"))
                    .isEqualTo("SDK 3.1.0105\n");
        }

        @Test
        void theLoadersSearchPathIsTried() {
            assumeNothingInstalled();
            FakeSdk.common("2.5.0108").compile(common());

            assertThat(new ChildJvm()
                            .variable("LD_LIBRARY_PATH", folder)
                            .run(LoadingProbe.class, "load", "path common"))
                    .isEqualTo("SDK 2.5.0108\n%s\n".formatted(common()));
        }

        @Test
        void theCurrentNameOfALibraryIsPreferredAndOthersServe() {
            FakeSdk.common("2.9.0072").compile(folder.resolve("libdoca_common.so.3"));
            FakeSdk.common("2.10.0087").compile(folder.resolve("libdoca_common.so"));

            assertThat(load("load")).isEqualTo("SDK 2.10.0087\n");
        }

        @Test
        void theSistersComeFromTheSamePlaceWhenTheyAreNeeded() {
            FakeSdk.common("3.2.1025").compile(common());
            new FakeSdk().functions("doca_dma_destroy").compile(folder.resolve("libdoca_dma.so.2"));

            assertThat(load("path dma", "call dma", "has doca_dma_destroy"))
                    .isEqualTo("""
                    %s
                    0
                    true
                    """.formatted(folder.resolve("libdoca_dma.so.2")));
        }

        /** A failure may pass, such as a lack of file descriptors. */
        @Test
        void librariesThatCouldNotBeOpenedAreTriedAgain() throws IOException {
            FakeSdk.common("3.2.1025").functions("doca_task_submit").compile(folder.resolve("common"));
            new FakeSdk().functions("doca_dma_destroy").compile(folder.resolve("dma"));
            Files.writeString(common(), "no library");
            Files.writeString(folder.resolve("libdoca_dma.so.2"), "no library");

            assertThat(load(
                            "call hot",
                            "rename common libdoca_common.so.2",
                            "call hot",
                            "call dma",
                            "has doca_dma_destroy",
                            "rename dma libdoca_dma.so.2",
                            "call dma",
                            "has doca_dma_destroy"))
                    .startsWith("DocaLibraryException: No DOCA library could be loaded from the folder")
                    .contains(
                            "\nrenamed\n0\nDocaFunctionException: doca_dma_destroy cannot be called: libdoca_dma could not be")
                    .endsWith("\nfalse\nrenamed\n0\ntrue\n");
        }

        @Test
        void theEmulatorServesWhereNothingIsInstalledAndSaysSo() throws IOException {
            assumeNothingInstalled();
            FakeSdk.common("3.0.0058").functions("doca_emulator_version").compile(common());

            String output = emulated(new ChildJvm(), work.resolve("services"))
                    .property("test.emulator", folder)
                    .run(LoadingProbe.class, "load", "load");

            assertThat(output)
                    .endsWith("EMULATOR 3.0.0058\nEMULATOR 3.0.0058\n")
                    .containsOnlyOnce("WARNING: No DOCA SDK was found; the software emulator is used.");
        }

        @Test
        void theEmulatorOfTheClassPathServesDocaFfiOnTheModulePath() throws IOException {
            assumeNothingInstalled();
            FakeSdk.common("3.0.0058").functions("doca_emulator_version").compile(common());

            assertThat(emulated(new ChildJvm().modular(), work.resolve("services"))
                            .property("test.emulator", folder)
                            .property("doca.backend", "emulator")
                            .run(LoadingProbe.class, "load"))
                    .isEqualTo("EMULATOR 3.0.0058\n");
        }

        @ParameterizedTest
        @ValueSource(booleans = {false, true})
        void aForcedEmulatorIsUsedEvenIfAnSdkIsThereAndSaysNothing(boolean byVariable) throws IOException {
            FakeSdk.common("3.0.0058").functions("doca_emulator_version").compile(common());
            Path sdk = Files.createDirectory(work.resolve("other"));
            FakeSdk.common("2.9.0072").compile(sdk.resolve("libdoca_common.so.2"));
            ChildJvm jvm = emulated(new ChildJvm(), work.resolve("services"))
                    .property("test.emulator", folder)
                    .variable("LD_LIBRARY_PATH", sdk);

            assertThat((byVariable
                                    ? jvm.variable("DOCA_BACKEND", "emulator")
                                    : jvm.property("doca.backend", "emulator"))
                            .run(LoadingProbe.class, "load"))
                    .isEqualTo("EMULATOR 3.0.0058\n");
        }

        @Test
        void anSdkIsUsedEvenIfTheEmulatorIsThere() throws IOException {
            assumeNothingInstalled();
            FakeSdk.common("2.9.0072").compile(common());

            assertThat(emulated(new ChildJvm(), work.resolve("services"))
                            .property("test.emulator", work.resolve("missing"))
                            .variable("LD_LIBRARY_PATH", folder)
                            .run(LoadingProbe.class, "load"))
                    .isEqualTo("SDK 2.9.0072\n");
        }
    }

    @Nested
    class NotFound {

        @Test
        void everyPlaceIsNamedEachTimeAndEveryCallSaysIt() {
            assumeNothingInstalled();

            assertThat(new ChildJvm()
                            .run(
                                    LoadingProbe.class,
                                    "load",
                                    "load",
                                    "call generated",
                                    "call by-value",
                                    "call hot",
                                    "call hot"))
                    .isEqualTo(("DocaLibraryException: " + NOT_INSTALLED).repeat(6));
        }

        @Test
        void aForcedSdkIsNotReplacedByTheEmulator() throws IOException {
            assumeNothingInstalled();

            assertThat(emulated(new ChildJvm(), work.resolve("services"))
                            .property("doca.backend", "sdk")
                            .run(LoadingProbe.class, "load"))
                    .isEqualTo("""
                            DocaLibraryException: No DOCA SDK was found, and doca.backend=sdk asks for one.
                            Tried:
                              /opt/mellanox/doca is not a folder
                              the loader's search path has no libdoca_common.so.2, .so, .so.3 or .so.1
                            Install the DOCA SDK, or name its folder with -Ddoca.library.path or DOCA_LIBRARY_PATH.
                            """);
        }

        @Test
        void aForcedEmulatorThatIsNotThereIsMissed() {
            assertThat(new ChildJvm().variable("DOCA_BACKEND", "emulator").run(LoadingProbe.class, "load"))
                    .isEqualTo("""
                            DocaLibraryException: No DOCA library was found.
                            Tried:
                              the emulator: doca-emulator is neither on the class path nor on the module path
                            Add the artifact io.docajava:doca-emulator to work without a device.
                            """);
        }

        @Test
        void anUnknownBackEndIsRefused() {
            assertThat(new ChildJvm().property("doca.backend", "hardware").run(LoadingProbe.class, "load", "load"))
                    .isEqualTo(
                            "DocaLibraryException: doca.backend=hardware is not a back end of doca-java: set it to sdk or emulator, or remove it.\n"
                                    .repeat(2));
        }

        @Test
        void anExplicitFolderThatDoesNotExistIsAnErrorEvenIfTheEmulatorIsThere() throws IOException {
            Path missing = work.resolve("missing");

            assertThat(emulated(new ChildJvm(), work.resolve("services"))
                            .property("test.emulator", folder)
                            .property("doca.library.path", missing)
                            .run(LoadingProbe.class, "load"))
                    .isEqualTo("""
                            DocaLibraryException: No DOCA library could be loaded from the folder that doca.library.path=%1$s names.
                            Tried:
                              %1$s is not a folder
                            Correct the setting, or remove it to have the usual places searched.
                            """.formatted(missing));
        }

        @Test
        void anExplicitFolderWithoutLibrariesIsAnError() throws IOException {
            Files.createDirectory(folder.resolve("lib"));

            assertThat(new ChildJvm().variable("DOCA_LIBRARY_PATH", folder).run(LoadingProbe.class, "load"))
                    .isEqualTo("""
                            DocaLibraryException: No DOCA library could be loaded from the folder that DOCA_LIBRARY_PATH=%1$s names.
                            Tried:
                              %1$s has no libdoca_common.so.2, .so, .so.3 or .so.1
                              %1$s/lib has no libdoca_common.so.2, .so, .so.3 or .so.1
                            Correct the setting, or remove it to have the usual places searched.
                            """.formatted(folder));
        }

        @Test
        void anExplicitFolderThatIsNotTheForcedBackEndIsAnError() {
            FakeSdk.common("3.0.0058").functions("doca_emulator_version").compile(common());

            assertThat(new ChildJvm()
                            .property("doca.library.path", folder)
                            .property("doca.backend", "sdk")
                            .run(LoadingProbe.class, "load"))
                    .isEqualTo("""
                            DocaLibraryException: doca.library.path=%s names the emulator, but doca.backend=sdk asks for the SDK. Remove one of the two settings.
                            """.formatted(folder));
        }

        @Test
        void anEmulatorThatCannotUnpackIsAnError() throws IOException {
            assertThat(emulated(new ChildJvm(), work.resolve("services"))
                            .property("doca.backend", "emulator")
                            .run(LoadingProbe.class, "load"))
                    .isEqualTo("DocaLibraryException: The DOCA emulator cannot be used: there is no room for it\n");
        }
    }

    @Nested
    class NoGood {

        private String refusal(String reason) {
            return """
                    DocaLibraryException: No DOCA library could be loaded from the folder that doca.library.path=%1$s names.
                    Tried:
                      %2$s %3$s
                    Correct the setting, or remove it to have the usual places searched.
                    """.formatted(folder, common(), reason);
        }

        @Test
        void aFileThatIsNoLibraryIsNamed() throws IOException {
            Files.writeString(common(), "this is only text, and there is enough of it to be a header\n");

            assertThat(load("load", "load"))
                    .isEqualTo(refusal("is not an ELF file").repeat(2));
        }

        @Test
        void aLibraryForAnotherArchitectureIsNamedWithBoth() throws IOException {
            boolean here = System.getProperty("os.arch").equals("amd64");
            Files.write(
                    common(),
                    ByteBuffer.allocate(64)
                            .put(HexFormat.of().parseHex("7f454c460201"))
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putShort(18, (short) (here ? 183 : 62))
                            .array());

            assertThat(load("load"))
                    .isEqualTo(refusal(
                            here
                                    ? "is built for aarch64, but this JVM runs on x86_64"
                                    : "is built for x86_64, but this JVM runs on aarch64"));
        }

        @Test
        void theMessageOfTheLoaderIsKept() {
            FakeSdk.common("3.0.0058")
                    .code("int not_there(void); int calls_it(void) { return not_there(); }")
                    .compile(common());

            assertThat(load("load"))
                    .isEqualTo(
                            refusal("was refused by the loader: %s: undefined symbol: not_there".formatted(common())));
        }

        @Test
        void aLibraryWithoutTheFunctionsOfDocaIsRefused() {
            new FakeSdk().version("3.0.0058").functions("doca_pe_connect_ctx").compile(common());

            assertThat(load("load")).isEqualTo("""
                    DocaLibraryException: %s lacks doca_devinfo_create_list, which every DOCA from 2.5 on has; it says it is DOCA 3.0.0058.
                    Install a newer DOCA SDK, name another one with -Ddoca.library.path, or set -Ddoca.backend=emulator to work without it.
                    """.formatted(common()));
        }

        @Test
        void anSdkWithWorkQueuesNeedsDocaCompat() {
            // 2.2 exports an unfinished progress engine, which must not be taken for the one of 2.5.
            new FakeSdk()
                    .version("2.2.0080")
                    .functions(
                            "doca_pe_create",
                            "doca_pe_progress_one",
                            "doca_task_submit",
                            "doca_task_free",
                            "doca_workq_create",
                            "doca_mmap_set_memrange")
                    .compile(common());

            assertThat(load("load", "load")).isEqualTo("""
                    DocaLibraryException: %s is DOCA 2.2.0080, which has work queues. doca-compat, which translates them, is neither on the class path nor on the module path.
                    Add the artifact io.docajava:doca-compat, of the release of doca-ffi.
                    """.formatted(common()).repeat(2));
        }

        @Test
        void anInstalledSdkThatLacksWhatItNeedsIsNotReplacedByTheEmulator() throws IOException {
            assumeNothingInstalled();
            Path verbs = new FakeSdk().compile(work.resolve("build/libibverbs_fake.so.1"));
            FakeSdk.common("3.0.0058")
                    .options("-Wl,--no-as-needed", verbs.toString())
                    .compile(common());

            assertThat(emulated(new ChildJvm(), work.resolve("services"))
                            .property("test.emulator", folder)
                            .variable("LD_LIBRARY_PATH", folder)
                            .run(LoadingProbe.class, "load"))
                    .isEqualTo("""
                            DocaLibraryException: A DOCA SDK is installed, but cannot be loaded.
                            Tried:
                              /opt/mellanox/doca is not a folder
                              the loader's search path: libibverbs_fake.so.1: cannot open shared object file: No such file or directory
                            Repair the installation, or set -Ddoca.backend=emulator to work without it.
                            """);
        }

        @Test
        void nativeAccessThatWasNotGrantedIsNamedWithTheFlag() {
            assertThat(new ChildJvm().withoutNativeAccess().run(LoadingProbe.class, "load", "load", "call hot"))
                    .isEqualTo(
                            "DocaLibraryException: This JVM refuses native access to doca-java. Start it with --enable-native-access=ALL-UNNAMED (doca-ffi is on the class path), or name it in the manifest of the jar that is started: Enable-Native-Access: ALL-UNNAMED.\n"
                                    .repeat(3));
            assertThat(new ChildJvm().modular().withoutNativeAccess().run(LoadingProbe.class, "load", "load"))
                    .isEqualTo(
                            "DocaLibraryException: This JVM refuses native access to doca-java. Start it with --enable-native-access=io.docajava.ffi (doca-ffi is on the module path).\n"
                                    .repeat(2));
        }
    }

    @Nested
    class Functions {

        @Test
        void oneThatIsMissingMakesOnlyItselfUnavailable() {
            FakeSdk.common("3.0.0058").functions("doca_pe_destroy").compile(common());
            new FakeSdk().compile(folder.resolve("libdoca_dma.so.2"));
            String missing = """
                    doca_dma_set_ordered_completions is not in libdoca_dma of the loaded DOCA 3.0.0058 (%s); it came with DOCA 3.2.
                    """.formatted(folder.resolve("libdoca_dma.so.2"));

            assertThat(load(
                            "has doca_dma_set_ordered_completions",
                            "require doca_dma_set_ordered_completions",
                            "require doca_dma_set_ordered_completions",
                            "require doca_pe_destroy",
                            "call generated"))
                    .isEqualTo("false\n" + ("DocaFunctionException: " + missing).repeat(2) + "there\n0\n");
        }

        @Test
        void callingAMissingOneFailsTheSameWayEachTime() {
            FakeSdk.common("2.5.0108").compile(common());
            String byValue = """
                    DocaFunctionException: doca_task_get_user_data is not in libdoca_common of the loaded DOCA 2.5.0108 (%s); it came with DOCA 2.5.
                    """.formatted(common());

            assertThat(load("call by-value", "call by-value")).isEqualTo(byValue.repeat(2));
        }

        @Test
        void oneWithAnotherSignatureInTheLoadedReleaseIsNeverCalled() {
            FakeSdk.common("2.5.0108").functions("doca_buf_arr_create").compile(common());
            new FakeSdk()
                    .functions("doca_rdma_export", "doca_rdma_destroy")
                    .compile(folder.resolve("libdoca_rdma.so.2"));
            String otherSignature =
                    " has another signature in the loaded DOCA 2.5.0108; doca-java needs DOCA 2.9 or later for it.\n";

            assertThat(load(
                            "has doca_rdma_export",
                            "require doca_rdma_export",
                            "call rdma-export",
                            "has doca_buf_arr_create",
                            "has doca_rdma_destroy",
                            "call rdma-destroy"))
                    .isEqualTo("false\n"
                            + ("DocaFunctionException: doca_rdma_export" + otherSignature).repeat(2)
                            + "false\ntrue\n0\n");
        }

        @Test
        void aMissingLibraryIsNamedWithWhatWasTried() {
            FakeSdk.common("3.0.0058").compile(common());
            String noLibrary = """
                    libdoca_dma could not be loaded beside libdoca_common of DOCA 3.0.0058 (%2$s).
                      %1$s has no libdoca_dma.so.2, .so, .so.3 or .so.1
                    Install the package of that library, from the same release.
                    """.formatted(folder, common());

            assertThat(load("path dma", "call dma", "has doca_dma_create"))
                    .isEqualTo("DocaLibraryException: " + noLibrary
                            + "DocaFunctionException: doca_dma_destroy cannot be called: " + noLibrary
                            + "false\n");
        }

        @Test
        void aLibraryOfALaterReleaseIsReported() {
            FakeSdk.common("2.6.0").compile(common());

            assertThat(load("path comch")).isEqualTo("""
                    DocaLibraryException: libdoca_comch could not be loaded beside libdoca_common of DOCA 2.6.0000 (%2$s).
                      %1$s has no libdoca_comch.so.2, .so, .so.3 or .so.1
                    It came with DOCA 2.7: install that release or a later one.
                    """.formatted(folder, common()));
        }

        @Test
        void namesThatDocaJavaDoesNotKnowAreRefused() {
            FakeSdk.common("3.0.0058").compile(common());

            assertThat(load("has doca_nothing", "require doca_nothing", "path gpunetio"))
                    .isEqualTo("""
                    IllegalArgumentException: doca-java knows no DOCA function "doca_nothing"
                    IllegalArgumentException: doca-java knows no DOCA function "doca_nothing"
                    IllegalArgumentException: doca-java knows no DOCA library "gpunetio", but [comch, common, dma, rdma]
                    """);
        }
    }
}
