/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.ffi.NativeEmulator;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the requests for faults. Tests with tasks check the effects. */
class EmulatorFaultsTest {

    @BeforeAll
    static void chooseTheEmulator() {
        System.setProperty("doca.backend", "emulator");
    }

    private static EmulatorFaults.Builder all() {
        return EmulatorFaults.builder()
                .killExporter(Long.MAX_VALUE)
                .registrations(2)
                .reorder(8, -1)
                .delay(Duration.ofMillis(5))
                .failTask(7, "DRIVER")
                .failTask(3, "IO_FAILED")
                .failSystemCall("any", Long.MAX_VALUE)
                .failCall("doca_pe_create", Long.MAX_VALUE, "FULL");
    }

    @Test
    void writesTheTextForOtherProcesses() {
        assertThat(all().toEnvironment())
                .isEqualTo("fail-task=3:IO_FAILED,fail-task=7:DRIVER,delay=5000000,reorder=8:18446744073709551615,"
                        + "registrations=2,kill-exporter=9223372036854775807,"
                        + "fail-call=doca_pe_create:9223372036854775807:FULL,fail-system=any:9223372036854775807");
        assertThat(EmulatorFaults.builder().reorder(2).toEnvironment()).isEqualTo("reorder=2:0");
    }

    @Test
    void takesTheLastWord() {
        assertThat(all().killExporter(1)
                        .registrations(0)
                        .reorder(4096)
                        .delay(Duration.ofHours(24))
                        .failTask(7, "AGAIN")
                        .failCall("any", 1, "DRIVER")
                        .failSystemCall("thread", 2)
                        .toEnvironment())
                .isEqualTo("fail-task=3:IO_FAILED,fail-task=7:AGAIN,delay=86400000000000,reorder=4096:0,"
                        + "registrations=0,kill-exporter=1,fail-call=any:1:DRIVER,fail-system=thread:2");
    }

    @Test
    void theEmulatorTakesAllOfThem() {
        try (EmulatorFaults faults = all().inject()) {
            assertThat(faults).hasToString("EmulatorFaults " + all().toEnvironment());
        }
        assertThatThrownBy(() -> NativeEmulator.setFaults("delay=never"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The emulator refuses the faults \"delay=never\" with DOCA error 6");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UNKNOWN",
                "NOT_PERMITTED",
                "IN_USE",
                "NOT_SUPPORTED",
                "AGAIN",
                "INVALID_VALUE",
                "NO_MEMORY",
                "INITIALIZATION",
                "TIME_OUT",
                "SHUTDOWN",
                "CONNECTION_RESET",
                "CONNECTION_ABORTED",
                "CONNECTION_INPROGRESS",
                "NOT_CONNECTED",
                "NO_LOCK",
                "NOT_FOUND",
                "IO_FAILED",
                "BAD_STATE",
                "UNSUPPORTED_VERSION",
                "OPERATING_SYSTEM",
                "DRIVER",
                "UNEXPECTED",
                "ALREADY_EXIST",
                "FULL",
                "EMPTY",
                "TOO_BIG",
                "AUTHENTICATION",
                "BAD_CONFIG",
                "SKIPPED",
                "DEVICE_FATAL_ERROR"
            })
    void tasksFailWithEveryErrorThereIs(String error) {
        EmulatorFaults.builder().failTask(1, error).inject().close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"SUCCESS", "IN_PROGRESS", "DOCA_ERROR_IO_FAILED", "io_failed", ""})
    void otherNamesAreNoErrors(String error) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EmulatorFaults.builder().failTask(1, error))
                .withMessage("Tasks cannot fail with \"" + error + "\", but with IO_FAILED for example");
    }

    @Test
    void numbersHaveLimits() {
        EmulatorFaults.Builder builder = EmulatorFaults.builder();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.failTask(0, "DRIVER"))
                .withMessage("The number of the task is 0, must be 1 or more");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.killExporter(-1))
                .withMessage("The number of the task is -1, must be 1 or more");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.delay(Duration.ZERO))
                .withMessage("The delay PT0S is not 1 ns to 24 hours");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.delay(Duration.ofHours(24).plusNanos(1)))
                .withMessage("The delay PT24H0.000000001S is not 1 ns to 24 hours");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.reorder(1))
                .withMessage("The window of 1 tasks is not 2 to 4096");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.reorder(4097, 1))
                .withMessage("The window of 4097 tasks is not 2 to 4096");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.registrations(-1))
                .withMessage("-1 registrations are fewer than 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.failCall("any", 0, "DRIVER"))
                .withMessage("The number of the call is 0, must be 1 or more");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.failSystemCall("any", 0))
                .withMessage("The number of the request is 0, must be 1 or more");
    }

    @Test
    void callsHaveNames() {
        EmulatorFaults.Builder builder = EmulatorFaults.builder();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.failCall("malloc", 1, "DRIVER"))
                .withMessage("\"malloc\" is neither a function of DOCA, such as doca_mmap_start, nor any");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.failCall("any", 1, "SUCCESS"))
                .withMessage("Calls cannot fail with \"SUCCESS\", but with NO_MEMORY for example");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.failSystemCall("disk", 1))
                .withMessage("\"disk\" is none of memory, descriptor, thread and any");
    }

    @Test
    void nothingHasFailedAndNothingIsLiveAtFirst() {
        try (EmulatorFaults faults =
                EmulatorFaults.builder().failCall("any", 1, "DRIVER").inject()) {
            assertThat(faults.toString()).endsWith("fail-call=any:1:DRIVER");
            assertThat(EmulatorFaults.failedCall()).isEmpty();
        }
        assertThat(EmulatorFaults.liveObjects()).isZero();
    }

    @Test
    void notAllTasksCanFail() {
        EmulatorFaults.Builder builder = EmulatorFaults.builder();
        for (int i = 1; i <= 64; i++) {
            builder.failTask(i, "DRIVER");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.failTask(65, "DRIVER"))
                .withMessage("At most 64 tasks can fail");
        builder.failTask(64, "TIME_OUT").inject().close();
    }

    @Test
    void thereMustBeSome() {
        assertThatThrownBy(() -> EmulatorFaults.builder().inject())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("No fault was given");
    }

    @Test
    void onlyOneSetIsInjectedAtATime() {
        EmulatorFaults.Builder other = EmulatorFaults.builder().registrations(1);
        EmulatorFaults first = EmulatorFaults.builder().failTask(2, "DRIVER").inject();
        assertThatThrownBy(other::inject)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("EmulatorFaults fail-task=2:DRIVER are injected and not closed");
        first.close();
        try (EmulatorFaults second = other.inject()) {
            // The first faults are already closed, so closing them again does not end the later ones.
            first.close();
            assertThatThrownBy(other::inject)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(second + " are injected and not closed");
        }
    }
}
