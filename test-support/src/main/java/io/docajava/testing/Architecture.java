/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.testing;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.codeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;

/** The architecture rules of each library module above doca-ffi. */
public final class Architecture {

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

    private Architecture() {}

    /** Reads the classes of the module whose tests run, without the tests. */
    public static JavaClasses classesOfModule() {
        return new ClassFileImporter().importPath(Path.of("target", "classes"));
    }

    /** Only doca-ffi needs native access: no other module calls a restricted method of the JDK. */
    public static ArchRule callsNoRestrictedMethod() {
        return noClasses().should().accessTargetWhere(describe("a restricted method", Architecture::isRestricted));
    }

    /**
     * Parameters, results and declared exceptions of public methods are types of the JDK and public types of doca-java,
     * including generic arguments. Memory segments are the only types of {@code java.lang.foreign} that are allowed, as users
     * pass them.
     */
    public static ArchRule showsTypesForUsersOnly() {
        return codeUnits()
                .that(describe("are public API", Architecture::isPublicApi))
                .should(showTypesForUsersOnly());
    }

    /** Each public class with public methods overrides {@code toString()}, or inherits it from a class other than Object. */
    public static ArchRule publicObjectsDescribeThemselves() {
        return classes()
                .that()
                .arePublic()
                .and()
                .areNotInterfaces()
                .and()
                .areNotEnums()
                .and()
                .resideOutsideOfPackage("..internal..")
                .or(describe("implement a type of users", Architecture::isImplementation))
                .and(describe(
                        "have public methods of instances",
                        type -> type.getMethods().stream()
                                .map(JavaMethod::getModifiers)
                                .anyMatch(modifiers -> modifiers.contains(JavaModifier.PUBLIC)
                                        && !modifiers.contains(JavaModifier.STATIC))))
                .should(overrideToString());
    }

    /**
     * Public methods and constructors check the stack before they use a class whose initialization may overflow it, since such a class
     * could never be used again. No public class with static methods or constructors has such an initialization itself.
     */
    public static ArchRule callsOnFullStacksDoNoHarm() {
        return codeUnits()
                .that(describe("are public API", unit -> isPublicApi(unit) || implementsPublicApi(unit)))
                .should(checkStackFirst());
    }

    /** No static initializer checks the stack: if the check failed, the class could never be used. The caller checks it. */
    public static ArchRule initializersDoNotCheckTheStack() {
        StackChecks checks = stackChecks();
        return noClasses()
                .should(ArchCondition.from(DescribedPredicate.<JavaClass>describe(
                        "have an initializer that checks the stack",
                        type -> checks.initializerChecks(type.getName()))));
    }

    private static StackChecks stackChecks() {
        StackChecks checks = new StackChecks();
        new ClassFileImporter()
                .withImportOption(location -> !location.contains("/test-classes/") && !location.contains("/generated/"))
                .importPackages("io.docajava")
                .forEach(type -> checks.add(type.getName()));
        return checks;
    }

    private static boolean isRestricted(JavaAccess<?> access) {
        return RESTRICTED.contains(access.getTargetOwner().getFullName() + "." + access.getName());
    }

    private static boolean isPublicApi(JavaCodeUnit unit) {
        return isVisible(unit.getModifiers())
                && Stream.iterate(
                                unit.getOwner(),
                                owner -> owner != null,
                                owner -> owner.getEnclosingClass().orElse(null))
                        .allMatch(owner -> isVisible(owner.getModifiers()))
                && !isInternal(unit.getOwner())
                && !isForOwnSubclasses(unit);
    }

    /** Returns whether only classes of doca-java can call a protected constructor. */
    private static boolean isForOwnSubclasses(JavaCodeUnit unit) {
        return unit instanceof JavaConstructor
                && !unit.getModifiers().contains(JavaModifier.PUBLIC)
                && unit.getOwner().reflect().isSealed();
    }

    private static boolean implementsPublicApi(JavaCodeUnit unit) {
        return isImplementation(unit.getOwner())
                && !unit.getModifiers().contains(JavaModifier.STATIC)
                && unit.getOwner().getAllRawInterfaces().stream()
                        .filter(implemented -> !isInternal(implemented))
                        .flatMap(implemented -> implemented.getMethods().stream())
                        .anyMatch(method -> method.getName().equals(unit.getName())
                                && method.getRawParameterTypes().equals(unit.getRawParameterTypes()));
    }

    /** Returns whether a class implements a sealed interface of the public API. */
    private static boolean isImplementation(JavaClass type) {
        return isInternal(type)
                && type.getRawInterfaces().stream()
                        .anyMatch(implemented -> !isInternal(implemented)
                                && implemented.getPackageName().startsWith("io.docajava")
                                && implemented.reflect().isSealed());
    }

    private static boolean isVisible(Set<JavaModifier> modifiers) {
        return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
    }

    private static boolean isInternal(JavaClass type) {
        return (type.getPackageName() + ".").contains(".internal.");
    }

    private static boolean isForUsers(JavaClass type) {
        String name = type.getPackageName();
        if (name.equals("java.lang.foreign")) {
            return type.getSimpleName().equals("MemorySegment");
        }
        return type.isPrimitive()
                || name.startsWith("java.")
                || name.equals("io.docajava.ffi")
                || ((name + ".").startsWith("io.docajava.")
                        && !name.startsWith("io.docajava.ffi.")
                        && !isInternal(type));
    }

    private static ArchCondition<JavaCodeUnit> showTypesForUsersOnly() {
        return new ArchCondition<>("show only types that users may see") {
            @Override
            public void check(JavaCodeUnit unit, ConditionEvents events) {
                Stream.of(
                                unit.getReturnType().getAllInvolvedRawTypes().stream(),
                                unit.getParameterTypes().stream()
                                        .flatMap(type -> type.getAllInvolvedRawTypes().stream()),
                                unit.getExceptionTypes().stream())
                        .flatMap(types -> types)
                        .filter(type -> !isForUsers(type.getBaseComponentType()))
                        .forEach(type -> events.add(SimpleConditionEvent.violated(
                                unit, unit.getDescription() + " shows " + type.getFullName())));
            }
        };
    }

    private static ArchCondition<JavaCodeUnit> checkStackFirst() {
        StackChecks checks = stackChecks();
        return new ArchCondition<>("check the stack before they initialize other classes") {
            @Override
            public void check(JavaCodeUnit unit, ConditionEvents events) {
                String initializer = checks.initializerBeforeCheck(
                        unit.getOwner().getName(),
                        unit.getName(),
                        descriptor(unit),
                        !unit.isMethod() || unit.getModifiers().contains(JavaModifier.STATIC));
                if (initializer != null) {
                    events.add(
                            SimpleConditionEvent.violated(unit, unit.getDescription() + " initializes " + initializer));
                }
            }
        };
    }

    private static String descriptor(JavaCodeUnit unit) {
        return MethodType.methodType(
                        unit.getRawReturnType().reflect(),
                        unit.getRawParameterTypes().stream()
                                .map(JavaClass::reflect)
                                .toList())
                .toMethodDescriptorString();
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
}
