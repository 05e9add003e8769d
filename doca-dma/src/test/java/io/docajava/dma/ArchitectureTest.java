/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.docajava.testing.Architecture;
import io.docajava.testing.TestRules;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests the dependencies and the public API of doca-dma. */
class ArchitectureTest {

    private static JavaClasses dma;

    @BeforeAll
    static void read() {
        dma = Architecture.classesOfModule();
    }

    @Test
    void callsGoDownOnly() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.docajava.rdma..", "io.docajava.emulator..")
                .check(dma);
    }

    @Test
    void reachesPastCoreForItsOwnFunctionsOnly() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.docajava.ffi.internal",
                        "io.docajava.ffi.completion",
                        "io.docajava.ffi.linux",
                        "io.docajava.ffi.log",
                        "io.docajava.ffi.generated.rdma..")
                .check(dma);
    }

    @Test
    void callsNoRestrictedMethod() {
        Architecture.callsNoRestrictedMethod().check(dma);
    }

    @Test
    void showsTypesForUsersOnly() {
        Architecture.showsTypesForUsersOnly().check(dma);
    }

    @Test
    void publicObjectsDescribeThemselves() {
        Architecture.publicObjectsDescribeThemselves().check(dma);
    }

    @Test
    void callsOnFullStacksDoNoHarm() {
        Architecture.callsOnFullStacksDoNoHarm().check(dma);
    }

    @Test
    void initializersDoNotCheckTheStack() {
        Architecture.initializersDoNotCheckTheStack().check(dma);
    }

    @Test
    void testsWithFaultsNeedTheEmulator() {
        TestRules.testsWithFaultsNeedTheEmulator().check(TestRules.testsOfModule());
    }
}
