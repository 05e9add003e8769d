/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.failures;

import io.docajava.emulator.EmulatorFaults;
import io.docajava.testing.FullTests;
import io.docajava.testing.NeedsEmulator;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs each scenario with a failure of its n-th call into DOCA, and of the n-th system request of DOCA, starting with the
 * first one, until no call is left to fail. Each failure is reported, every wait ends, and nothing leaks.
 *
 * <p>{@code -Pfull} runs all of them, a usual build runs some.
 */
@NeedsEmulator
@Isolated("faults are those of the whole process")
@Timeout(600)
class FailedCallsTest {

    /** The distance between calls that fail. A prime lets scenarios with the same beginning fail at different calls. */
    private static final int STRIDE = FullTests.amount(13, 1);

    @ParameterizedTest
    @EnumSource
    void callsFail(Scenario scenario) throws Exception {
        FailedCalls.ofEachCall(scenario, scenario, STRIDE);
    }

    @ParameterizedTest
    @EnumSource
    void memoryDescriptorsAndThreadsRunOut(Scenario scenario) throws Exception {
        for (String resource : List.of("memory", "descriptor", "thread")) {
            FailedCalls.untilClean(
                    scenario,
                    scenario,
                    STRIDE,
                    number -> EmulatorFaults.builder().failSystemCall(resource, number),
                    false);
        }
    }

    /** Temporary errors may be handled differently: a refused submission is repeated. */
    @ParameterizedTest
    @CsvSource({"COPIES, AGAIN", "COPIES, NO_MEMORY", "RDMA, NO_MEMORY", "GRAPHS, NOT_SUPPORTED", "EVENTS, BAD_STATE"})
    void callsFailWithOtherErrors(Scenario scenario, String error) throws Exception {
        FailedCalls.untilClean(
                scenario, scenario, STRIDE, number -> EmulatorFaults.builder().failCall("any", number, error), false);
    }
}
