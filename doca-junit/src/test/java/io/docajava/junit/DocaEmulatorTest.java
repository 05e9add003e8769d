/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.instanceOf;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

import io.docajava.DocaException;
import io.docajava.core.Doca;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.ffi.Backend;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.Events;

/** Runs test classes as users write them, some of which fail, inside these tests. */
@Timeout(600)
class DocaEmulatorTest {

    private static final List<String> DPU = List.of("mlx5_0", "mlx5_1", "mlx5_2", "mlx5_3");

    private static Events tests(Class<?> testClass) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(testClass))
                .execute()
                .allEvents();
    }

    private static Throwable failure(Class<?> testClass) {
        return tests(testClass).failed().stream()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .flatMap(result -> result.getThrowable().stream())
                .reduce((first, second) -> {
                    throw new AssertionError("There is more than one failure", second);
                })
                .orElseThrow();
    }

    private static void assertPasses(Class<?> testClass, int tests) {
        Events events = tests(testClass);
        assertThat(events.failed().stream().map(Event::toString)).isEmpty();
        assertThat(events.succeeded().stream()
                        .filter(event -> event.getTestDescriptor().isTest()))
                .hasSize(tests);
    }

    private static List<String> devices() {
        return Device.list().stream().map(DocaEmulatorTest::name).toList();
    }

    private static String name(DeviceInfo device) {
        return device.displayName();
    }

    @DocaEmulator
    static class Parameters {

        private final Device device;

        Parameters(Device device) {
            this.device = device;
        }

        @BeforeEach
        void shareTheDevice(Device same) {
            assertThat(same).isSameAs(device);
        }

        @Test
        void areOpen(Device same, ProgressEngine engine, ProgressLoop loop, EmulatorFaults faults, PeerJvm peer) {
            assertThat(Doca.backend()).isEqualTo(Backend.EMULATOR);
            assertThat(same).isSameAs(device);
            assertThat(engine.thread()).isEqualTo(Thread.currentThread());
            assertThat(loop.call(own -> own.thread().equals(loop.thread())).join())
                    .isTrue();
            assertThat(faults).hasToString("EmulatorFaults none");
            assertThat(peer).hasToString("PeerJvm");
        }
    }

    @Test
    void givesParameters() {
        assertPasses(Parameters.class, 1);
    }

    @DocaEmulator
    static class OfTheClass {

        private static @Nullable Device shared;

        @BeforeAll
        static void keep(Device device) {
            shared = device;
        }

        @Test
        void isShared(Device device) {
            assertThat(device).isSameAs(shared);
        }

        @Nested
        class Inside {

            @Test
            void isSharedToo(Device device) {
                assertThat(device).isSameAs(shared);
            }
        }
    }

    @Test
    void sharesWhatTheClassHas() {
        assertPasses(OfTheClass.class, 2);
        assertThat(Objects.requireNonNull(OfTheClass.shared))
                .satisfies(device -> org.assertj.core.api.Assertions.assertThatThrownBy(
                                () -> Mmap.allocate(device, 1, Access.LOCAL_READ_WRITE))
                        .hasMessageEndingWith(" is closed"));
    }

    @DocaEmulator
    static class LeavesOpen {

        private static final Deque<AutoCloseable> LEFT = new ArrayDeque<>();

        @Test
        void leaks(Device device) {
            LEFT.push(device);
            LEFT.push(Mmap.allocate(device, 4096, Access.LOCAL_READ_WRITE));
            LEFT.push(ProgressLoop.builder().name("forgotten").start());
        }

        static void closeAll() throws Exception {
            while (!LEFT.isEmpty()) {
                LEFT.pop().close();
            }
        }
    }

    @Test
    void namesTheLinesThatHaveOpenedWhatIsLeft() throws Exception {
        Throwable failure = failure(LeavesOpen.class);
        LeavesOpen.closeAll();

        String here = "opened at io.docajava.junit.DocaEmulatorTest$LeavesOpen.leaks(DocaEmulatorTest.java:";
        assertThat(failure).isInstanceOf(AssertionError.class);
        assertThat(Objects.requireNonNull(failure.getMessage()).replaceAll("java:\\d+", "java:"))
                .isEqualTo(String.join(
                        System.lineSeparator(),
                        "2 resources are still open after the test:",
                        "  Mmap of 4096 bytes on 0000:03:00.0 (mlx5_0), " + here + ")",
                        "  ProgressEngine of thread \"forgotten\", " + here + ")"));
        assertThat(failure.getSuppressed())
                .extracting(Throwable::getMessage)
                .contains("Here Mmap of 4096 bytes on 0000:03:00.0 (mlx5_0) was opened");
    }

    @DocaEmulator
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class LeavesADevice {

        private static final Deque<AutoCloseable> LEFT = new ArrayDeque<>();

        @Test
        @Order(1)
        void leaks(Device given) {
            LEFT.push(given);
            LEFT.push(Mmap.allocate(given, 4096, Access.LOCAL_READ_WRITE));
            Device own = Device.open(Device.list().get(1));
            LEFT.push(own);
            LEFT.push(Mmap.allocate(own, 4096, Access.LOCAL_READ_WRITE));
        }

        @Test
        @Order(2)
        @DocaEmulator(role = DocaEmulator.Role.HOST)
        void hasOtherSettings() {
            assertThat(devices()).first().asString().startsWith("0000:0b:00.0");
        }
    }

    @Test
    void closesWhatIsLeftForTheTestsThatFollow() {
        assertThat(failure(LeavesADevice.class)).hasMessageStartingWith("3 resources are still open after the test:");
    }

    @DocaEmulator
    static class LeavesAField {

        private static @Nullable ProgressEngine left;

        private final ProgressEngine engine = ProgressEngine.create();

        @Test
        void uses() {
            left = engine;
        }
    }

    @Test
    void checksFieldsToo() {
        Throwable failure = failure(LeavesAField.class);
        Objects.requireNonNull(LeavesAField.left).close();

        assertThat(failure)
                .hasMessageMatching(
                        "(?s)1 resource is still open after the test:\\R  ProgressEngine of thread \".*\", "
                                + "opened at io.docajava.junit.DocaEmulatorTest\\$LeavesAField.<init>\\(DocaEmulatorTest.java:\\d+\\)");
    }

    @DocaEmulator
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class Faults {

        @Test
        @Order(1)
        void areInjected(Device device, EmulatorFaults faults) {
            faults.replace(EmulatorFaults.builder().failCall("doca_mmap_start", 1, "NO_MEMORY"));
            org.assertj.core.api.Assertions.assertThatThrownBy(() -> Mmap.allocate(device, 8, Access.LOCAL_READ_WRITE))
                    .isInstanceOf(DocaException.class);
            faults.replace(EmulatorFaults.builder().failCall("doca_mmap_start", 1, "NO_MEMORY"));
        }

        @Test
        @Order(2)
        void areForgotten(Device device) {
            Mmap.allocate(device, 8, Access.LOCAL_READ_WRITE).close();
            EmulatorFaults left = EmulatorFaults.builder()
                    .failCall("doca_mmap_start", 1, "NO_MEMORY")
                    .inject();
            assertThat(left).hasToString("EmulatorFaults fail-call=doca_mmap_start:1:NO_MEMORY");
        }

        @Test
        @Order(3)
        void areForgottenAgain(Device device) {
            Mmap.allocate(device, 8, Access.LOCAL_READ_WRITE).close();
        }
    }

    @Test
    void withdrawsFaults() {
        assertPasses(Faults.class, 3);
    }

    @DocaEmulator
    static class FaultsOfAClass {

        @BeforeAll
        static void inject(EmulatorFaults faults) {
            assertThat(faults).isNull();
        }

        @Test
        void isNotRun() {}
    }

    @Test
    void refusesFaultsForAClass() {
        tests(FaultsOfAClass.class)
                .assertThatEvents()
                .haveExactly(
                        1,
                        finishedWithFailure(
                                instanceOf(ParameterResolutionException.class),
                                message("EmulatorFaults end with the test, so only the methods of one test, such as "
                                        + "@Test and @BeforeEach, can have them as a parameter")));
    }

    @DocaEmulator(topology = """
                    [dpu one]
                    pci = 03:00.0
                    [host two]
                    pci = 0b:00.0
                    """)
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class OtherSettings {

        @Test
        @Order(1)
        void areThoseOfTheClass() {
            assertThat(devices()).containsExactly("0000:03:00.0 (one)");
        }

        @Test
        @Order(2)
        @DocaEmulator(role = DocaEmulator.Role.HOST)
        void areThoseOfTheTest() {
            assertThat(devices()).first().asString().startsWith("0000:0b:00.0");
        }

        @Test
        @Order(3)
        @DocaEmulator(engine = DocaEmulator.Engine.THREADED)
        void areOnesWithThreads() {
            assertThat(devices()).hasSize(DPU.size());
        }

        @Nested
        class Inside {

            @Test
            void areThoseAround() {
                assertThat(devices()).containsExactly("0000:03:00.0 (one)");
            }
        }
    }

    @Test
    void configuresTheEmulatorForEachTest() {
        assertPasses(OtherSettings.class, 4);
        assertThat(devices()).hasSize(DPU.size());
    }

    @DocaEmulator
    static class OpenBefore {

        @BeforeAll
        static void open(Device device) {
            assertThat(device.info()).isNotNull();
        }

        @Test
        @DocaEmulator(role = DocaEmulator.Role.HOST)
        void cannotChange() {}
    }

    @Test
    void saysWhyItCannotConfigure() {
        Throwable failure = failure(OpenBefore.class);

        assertThat(failure).isInstanceOf(IllegalStateException.class);
        assertThat(Objects.requireNonNull(failure.getMessage()).replaceAll("opened at .*?\\)", "opened at HERE"))
                .isEqualTo(
                        "The emulator cannot have {DOCA_EMULATOR_ROLE=host} for cannotChange(), since it has the "
                                + "settings of the environment, and settings change only while no device is open. Open: Device "
                                + "0000:03:00.0 (mlx5_0), opened at HERE. Close it before, or run the test in a JVM of its own");
    }

    @DocaEmulator(topology = "missing.ini")
    static class NoTopology {

        @Test
        void isNotRun() {}
    }

    @Test
    void saysWhichTopologyIsRefused() {
        assertThat(failure(NoTopology.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching(
                        "The emulator cannot have \\{DOCA_EMULATOR_TOPOLOGY=/.*/missing.ini} for .*NoTopology: "
                                + "The emulator refuses the topology /.*/missing.ini: Topology /.*/missing.ini: "
                                + "No such file or directory");
    }

    @DocaEmulator(topology = """
                    [host one]
                    pci = 0b:00.0
                    """)
    static class NoDevice {

        @Test
        void isNotRun(Device device) {}
    }

    @Test
    void saysThatThereIsNoDevice() {
        assertThat(failure(NoDevice.class))
                .isInstanceOf(ParameterResolutionException.class)
                .hasMessageMatching(
                        ".*: DOCA [0-9.]+ lists no device with \\{DOCA_EMULATOR_TOPOLOGY=.*}, so no parameter can be one");
    }

    @ExtendWith(DocaExtension.class)
    static class AnyBackend {

        private @Nullable ProgressEngine own;

        @Test
        void opens(ProgressEngine engine) {
            assertThat(engine.inFlight()).isZero();
            own = ProgressEngine.create();
        }

        @AfterEach
        void close() {
            Objects.requireNonNull(own).close();
        }
    }

    @Test
    void isNotOnlyForTheEmulator() {
        assertPasses(AnyBackend.class, 1);
    }

    @DocaEmulator
    static class OnAnSdk {

        @Test
        void isNotRun() {}
    }

    @ExtendWith(DocaExtension.class)
    static class WithATopologyOnAnSdk {

        WithATopologyOnAnSdk() {
            assertThat(Doca.backend()).isEqualTo(Backend.EMULATOR);
            assertThat(Settings.current()).isEqualTo(Settings.OF_ENVIRONMENT);
        }

        @Test
        @DocaEmulator(topology = "[dpu mlx5_7]")
        void isNotRun() {}
    }

    @Test
    void skipsWhatNeedsTheEmulatorWhereAnSdkIsChosen() {
        @Nullable String chosen = System.getProperty("doca.backend");
        System.setProperty("doca.backend", "sdk");
        try {
            for (Class<?> needy : List.of(OnAnSdk.class, WithATopologyOnAnSdk.class)) {
                assertThat(tests(needy).skipped().stream().map(event -> event.getRequiredPayload(String.class)))
                        .containsExactly("needs the emulator, and doca.backend=sdk chooses an SDK");
            }
        } finally {
            if (chosen == null) {
                System.clearProperty("doca.backend");
            } else {
                System.setProperty("doca.backend", chosen);
            }
        }
    }
}
