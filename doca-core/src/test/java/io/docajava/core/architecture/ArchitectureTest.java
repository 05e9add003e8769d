/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.codeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.docajava.core.DocaCallException;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What doca-core may use, and what it may show. */
class ArchitectureTest {

    private static final Set<String> RESTRICTED = Set.of(
            "java.lang.foreign.AddressLayout.withTargetLayout",
            "java.lang.foreign.Linker.downcallHandle",
            "java.lang.foreign.Linker.upcallStub",
            "java.lang.foreign.MemorySegment.reinterpret",
            "java.lang.foreign.SymbolLookup.libraryLookup",
            "java.lang.Runtime.load",
            "java.lang.Runtime.loadLibrary",
            "java.lang.System.load",
            "java.lang.System.loadLibrary");

    private static JavaClasses core;

    @BeforeAll
    static void read() {
        core = new ClassFileImporter().importPath(Path.of("target", "classes"));
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
    void onlyTheFfiModuleCallsRestrictedMethods() {
        noClasses()
                .should()
                .accessTargetWhere(describe("a restricted method", ArchitectureTest::isRestricted))
                .check(core);
    }

    @Test
    void noPublicSignatureShowsAnInternalOrGeneratedType() {
        codeUnits()
                .that(describe("are public API", ArchitectureTest::isPublicApi))
                .should(show(describe("types that users may see", ArchitectureTest::isForUsers)))
                .check(core);
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

    @Test
    void publicClassesAreClosedToInheritance() {
        classes()
                .that()
                .arePublic()
                .and()
                .areNotInterfaces()
                .and()
                // The failures of tasks tell more. On a class path it cannot be sealed, as they are in another package.
                .doNotBelongToAnyOf(DocaCallException.class)
                .should()
                .haveModifier(JavaModifier.FINAL)
                .orShould()
                .haveModifier(JavaModifier.ABSTRACT)
                .check(core);
    }

    @Test
    void everyPublicObjectDescribesItself() {
        classes()
                .that()
                .arePublic()
                .and()
                .areNotInterfaces()
                .and()
                .areNotEnums()
                .and()
                .resideOutsideOfPackage("..internal..")
                .and(describe(
                        "have public methods of instances",
                        type -> type.getMethods().stream()
                                .map(JavaMethod::getModifiers)
                                .anyMatch(modifiers -> modifiers.contains(JavaModifier.PUBLIC)
                                        && !modifiers.contains(JavaModifier.STATIC))))
                .should(overrideToString())
                .check(core);
    }

    private static ArchCondition<JavaClass> overrideToString() {
        return new ArchCondition<>("override toString") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                boolean overrides = Stream.of(type.reflect().getMethods())
                        .anyMatch(method -> method.getName().equals("toString")
                                && method.getParameterCount() == 0
                                && !method.getDeclaringClass().equals(Object.class));
                events.add(new SimpleConditionEvent(type, overrides, type.getName()));
            }
        };
    }

    private static boolean isRestricted(JavaAccess<?> access) {
        JavaClass owner = access.getTargetOwner();
        return RESTRICTED.contains(owner.getFullName() + "." + access.getName());
    }

    private static boolean isPublicApi(JavaCodeUnit unit) {
        return isVisible(unit.getModifiers())
                && Stream.iterate(
                                unit.getOwner(),
                                owner -> owner != null,
                                owner -> owner.getEnclosingClass().orElse(null))
                        .allMatch(owner -> isVisible(owner.getModifiers()))
                && !isInternal(unit.getOwner());
    }

    private static boolean isVisible(Set<JavaModifier> modifiers) {
        return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
    }

    private static boolean isForUsers(JavaClass type) {
        JavaClass base = type.getBaseComponentType();
        if (base.getPackageName().equals("java.lang.foreign")) {
            return base.isEquivalentTo(java.lang.foreign.MemorySegment.class);
        }
        return base.getPackageName().startsWith("java.")
                || base.isPrimitive()
                || base.getPackageName().equals("io.docajava.ffi")
                || (base.getPackageName().startsWith("io.docajava.core") && !isInternal(base));
    }

    private static boolean isInternal(JavaClass type) {
        return (type.getPackageName() + ".").contains(".internal.");
    }

    /** Parameters, result and declared exceptions, with the arguments of generic types. */
    private static ArchCondition<JavaCodeUnit> show(DescribedPredicate<JavaClass> allowed) {
        return new ArchCondition<>("show only " + allowed.getDescription()) {
            @Override
            public void check(JavaCodeUnit unit, ConditionEvents events) {
                Stream.concat(
                                unit.getReturnType().getAllInvolvedRawTypes().stream(),
                                Stream.concat(
                                        unit.getParameterTypes().stream()
                                                .flatMap(type -> type.getAllInvolvedRawTypes().stream()),
                                        unit.getExceptionTypes().stream()))
                        .filter(type -> !allowed.test(type))
                        .forEach(type -> events.add(SimpleConditionEvent.violated(
                                unit, unit.getDescription() + " shows " + type.getFullName())));
            }
        };
    }
}
