/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.docajava.ffi.internal.NativeMemory;
import io.docajava.ffi.internal.StackGuard;
import io.docajava.testing.Architecture;
import io.docajava.testing.TestRules;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests the dependencies and the public API of doca-rdma. */
class ArchitectureTest {

    private static JavaClasses rdma;

    @BeforeAll
    static void read() {
        rdma = Architecture.classesOfModule();
    }

    @Test
    void callsGoDownOnly() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.docajava.dma..", "io.docajava.emulator..")
                .check(rdma);
    }

    @Test
    void reachesPastCoreForItsOwnFunctionsOnly() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                                "io.docajava.ffi.internal",
                                "io.docajava.ffi.completion",
                                "io.docajava.ffi.linux",
                                "io.docajava.ffi.log",
                                "io.docajava.ffi.generated.dma..")
                        .and(not(type(NativeMemory.class)))
                        .and(not(type(StackGuard.class))))
                .check(rdma);
    }

    @Test
    void callsNoRestrictedMethod() {
        Architecture.callsNoRestrictedMethod().check(rdma);
    }

    @Test
    void showsTypesForUsersOnly() {
        Architecture.showsTypesForUsersOnly().check(rdma);
    }

    @Test
    void publicObjectsDescribeThemselves() {
        Architecture.publicObjectsDescribeThemselves().check(rdma);
    }

    @Test
    void callsOnFullStacksDoNoHarm() {
        Architecture.callsOnFullStacksDoNoHarm().check(rdma);
    }

    @Test
    void initializersDoNotCheckTheStack() {
        Architecture.initializersDoNotCheckTheStack().check(rdma);
    }

    @Test
    void testsWithFaultsNeedTheEmulator() {
        TestRules.testsWithFaultsNeedTheEmulator().check(TestRules.testsOfModule());
    }
}
