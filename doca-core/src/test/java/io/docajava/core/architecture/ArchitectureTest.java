/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.docajava.core.DocaCallException;
import io.docajava.testing.Architecture;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests the dependencies and the public API of doca-core. */
class ArchitectureTest {

    private static JavaClasses core;

    @BeforeAll
    static void read() {
        core = Architecture.classesOfModule();
    }

    @Test
    void callsGoDownOnly() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.docajava.dma..", "io.docajava.rdma..", "io.docajava.emulator..")
                .check(core);
    }

    @Test
    void callsNoRestrictedMethod() {
        Architecture.callsNoRestrictedMethod().check(core);
    }

    @Test
    void showsTypesForUsersOnly() {
        Architecture.showsTypesForUsersOnly().check(core);
    }

    @Test
    void publicObjectsDescribeThemselves() {
        Architecture.publicObjectsDescribeThemselves().check(core);
    }

    @Test
    void callsOnFullStacksDoNoHarm() {
        ArchRule rule = Architecture.callsOnFullStacksDoNoHarm();
        rule.check(core);
        rule.check(new ClassFileImporter().importPackages("io.docajava.ffi").that(resideInAPackage("io.docajava.ffi")));
    }

    @Test
    void initializersDoNotCheckTheStack() {
        ArchRule rule = Architecture.initializersDoNotCheckTheStack();
        rule.check(core);
        rule.check(new ClassFileImporter().importPackages("io.docajava.ffi"));
    }

    @Test
    void internalsBelowTheApiDoNotKnowIt() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "..internal.lifecycle",
                        "..internal.memory",
                        "..internal.call",
                        "..internal.file",
                        "..internal.log")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.docajava.core.device",
                        "io.docajava.core.memory",
                        "io.docajava.core.progress",
                        "io.docajava.core.context",
                        "io.docajava.core.internal",
                        "io.docajava.core.internal.context",
                        "io.docajava.core.internal.engine",
                        "io.docajava.core.internal.operation",
                        "io.docajava.core.internal.state")
                .check(core);
    }

    @Test
    void publicPackagesHaveNoCycles() {
        slices().matching("io.docajava.core.(*)")
                .should()
                .beFreeOfCycles()
                .check(core.that(resideOutsideOfPackage("..internal..")));
    }

    @Test
    void internalPackagesHaveNoCycles() {
        slices().matching("io.docajava.core.internal.(*)")
                .should()
                .beFreeOfCycles()
                .check(core);
    }

    @Test
    void nothingIsPrinted() {
        noClasses()
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .callMethod(Throwable.class, "printStackTrace")
                .check(core);
    }

    /** Unlike the other methods that read a whole file, this one fails on an interrupted thread. */
    @Test
    void interruptedThreadsCanReadFiles() {
        noClasses()
                .should()
                .callMethod(Files.class, "lines", Path.class)
                .orShould()
                .callMethod(Files.class, "lines", Path.class, Charset.class)
                .check(core);
    }

    @Test
    void publicClassesAreClosedToInheritance() {
        classes()
                .that()
                .arePublic()
                .and()
                .areNotInterfaces()
                .and()
                // Failures of tasks and graphs are subclasses in other packages,
                // so on a class path the class cannot be sealed.
                .doNotBelongToAnyOf(DocaCallException.class)
                .and(DescribedPredicate.describe(
                        "are not sealed", type -> !type.reflect().isSealed()))
                .should()
                .haveModifier(JavaModifier.FINAL)
                .orShould()
                .haveModifier(JavaModifier.ABSTRACT)
                .check(core);
    }
}
