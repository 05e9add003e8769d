/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.docajava.core.DocaCallException;
import io.docajava.testing.Architecture;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
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

    /** A slice is a public package with the packages that implement it. Slices have an order, from the one that uses no other. */
    @Test
    void slicesHaveNoCycles() {
        slices().assignedFrom(new Slices()).should().beFreeOfCycles().check(core);
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

    private static final class Slices implements SliceAssignment {

        private static final String ROOT = "io.docajava.core";
        /** The slices of the internal packages that have another name. */
        private static final Map<String, String> IMPLEMENTATIONS = Map.of(
                "engine", "progress",
                "operation", "context",
                "state", "context",
                "call", "base",
                "export", "base",
                "file", "base",
                "jfr", "base",
                "lifecycle", "base",
                "log", "base");

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            if (!type.getPackageName().startsWith(ROOT)) {
                return SliceIdentifier.ignore();
            }
            String name = type.getPackageName().substring(ROOT.length()).replaceFirst("^\\.internal", "");
            if (name.isEmpty()) {
                return SliceIdentifier.of("base");
            }
            String last = name.substring(1);
            return SliceIdentifier.of(IMPLEMENTATIONS.getOrDefault(last, last));
        }

        @Override
        public String getDescription() {
            return "public packages with their implementation";
        }
    }
}
