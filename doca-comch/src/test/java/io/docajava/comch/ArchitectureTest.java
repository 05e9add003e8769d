/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.docajava.ffi.internal.NativeMemory;
import io.docajava.testing.Architecture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests the dependencies and the public API of doca-comch. */
class ArchitectureTest {

    private static JavaClasses comch;

    @BeforeAll
    static void read() {
        comch = Architecture.classesOfModule();
    }

    @Test
    void callsGoDownOnly() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.docajava.dma..", "io.docajava.rdma..", "io.docajava.emulator..")
                .check(comch);
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
                                "io.docajava.ffi.generated.dma..",
                                "io.docajava.ffi.generated.rdma..")
                        .and(not(type(NativeMemory.class))))
                .check(comch);
    }

    @Test
    void callsNoRestrictedMethod() {
        Architecture.callsNoRestrictedMethod().check(comch);
    }

    @Test
    void showsTypesForUsersOnly() {
        Architecture.showsTypesForUsersOnly().check(comch);
    }

    @Test
    void publicObjectsDescribeThemselves() {
        Architecture.publicObjectsDescribeThemselves().check(comch);
    }

    @Test
    void callsOnFullStacksDoNoHarm() {
        Architecture.callsOnFullStacksDoNoHarm().check(comch);
    }

    @Test
    void initializersDoNotCheckTheStack() {
        Architecture.initializersDoNotCheckTheStack().check(comch);
    }
}
