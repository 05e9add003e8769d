/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.codeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.docajava.ffi.internal.NativeMemory;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What doca-rdma may use, and what it may show. */
class ArchitectureTest {

    private static JavaClasses rdma;

    @BeforeAll
    static void read() {
        rdma = new ClassFileImporter().importPath(Path.of("target", "classes"));
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
                        .and(not(type(NativeMemory.class))))
                .check(rdma);
    }

    @Test
    void callsNoRestrictedMethod() {
        Set<String> restricted = Set.of(
                "downcallHandle",
                "upcallStub",
                "reinterpret",
                "withTargetLayout",
                "libraryLookup",
                "load",
                "loadLibrary");
        noClasses()
                .should()
                .accessTargetWhere(describe(
                        "a restricted method",
                        access -> restricted.contains(access.getName())
                                && (access.getTargetOwner().getPackageName().equals("java.lang.foreign")
                                        || access.getTargetOwner().isEquivalentTo(System.class)
                                        || access.getTargetOwner().isEquivalentTo(Runtime.class))))
                .check(rdma);
    }

    @Test
    void noPublicSignatureShowsAnInternalOrGeneratedType() {
        codeUnits()
                .that(describe("are public API", ArchitectureTest::isPublicApi))
                .should(showTypesForUsersOnly())
                .check(rdma);
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
                .check(rdma);
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

    private static boolean isPublicApi(JavaCodeUnit unit) {
        return isVisible(unit.getModifiers()) && isVisible(unit.getOwner().getModifiers());
    }

    private static boolean isVisible(Set<JavaModifier> modifiers) {
        return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
    }

    private static ArchCondition<JavaCodeUnit> showTypesForUsersOnly() {
        return new ArchCondition<>("show only types that users may see") {
            @Override
            public void check(JavaCodeUnit unit, ConditionEvents events) {
                Stream.concat(
                                unit.getReturnType().getAllInvolvedRawTypes().stream(),
                                unit.getParameterTypes().stream()
                                        .flatMap(type -> type.getAllInvolvedRawTypes().stream()))
                        .filter(type -> !isForUsers(type.getBaseComponentType()))
                        .forEach(type -> events.add(SimpleConditionEvent.violated(
                                unit, unit.getDescription() + " shows " + type.getFullName())));
            }
        };
    }

    private static boolean isForUsers(JavaClass type) {
        String name = type.getPackageName() + ".";
        return type.isPrimitive()
                || (name.startsWith("java.") && !name.startsWith("java.lang.foreign."))
                || (name.startsWith("io.docajava.")
                        && !name.contains(".internal.")
                        && !name.startsWith("io.docajava.ffi."));
    }
}
