/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.testing;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.properties.CanBeAnnotated;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Rules for the tests of a module. */
public final class TestRules {

    private static final String FAULTS = "io.docajava.emulator.EmulatorFaults";
    private static final String DOCA_EMULATOR = "io.docajava.junit.DocaEmulator";

    private TestRules() {}

    /** Reads the tests of the module whose tests run. */
    public static JavaClasses testsOfModule() {
        return new ClassFileImporter().importPath(Path.of("target", "test-classes"));
    }

    /**
     * Each test that uses the emulator's faults has an annotation that skips it on an SDK, where it would fail. Other code of the tests
     * that it calls counts as well.
     */
    public static ArchRule testsWithFaultsNeedTheEmulator() {
        return methods()
                .that(describe("are called by JUnit", TestRules::isCalledByJunit))
                .should(skipWithoutEmulator());
    }

    private static boolean isCalledByJunit(JavaMethod method) {
        return method.getAnnotations().stream()
                .anyMatch(annotation -> annotation.getRawType().getPackageName().startsWith("org.junit.jupiter."));
    }

    private static ArchCondition<JavaMethod> skipWithoutEmulator() {
        return new ArchCondition<>("have @DocaEmulator or @NeedsEmulator if they use EmulatorFaults") {
            @Override
            public void check(JavaMethod test, ConditionEvents events) {
                if (!needsEmulator(test)) {
                    userOfFaults(test)
                            .ifPresent(user -> events.add(SimpleConditionEvent.violated(
                                    test, test.getDescription() + " uses faults by " + user.getDescription())));
                }
            }
        };
    }

    private static boolean needsEmulator(JavaMethod test) {
        return isMarked(test)
                || Stream.iterate(
                                Optional.of(test.getOwner()),
                                Optional::isPresent,
                                type -> type.get().getEnclosingClass())
                        .flatMap(Optional::stream)
                        .flatMap(type -> Stream.concat(Stream.of(type), type.getAllRawSuperclasses().stream()))
                        .anyMatch(TestRules::isMarked);
    }

    private static boolean isMarked(CanBeAnnotated element) {
        return element.isAnnotatedWith(NeedsEmulator.class) || element.isAnnotatedWith(DOCA_EMULATOR);
    }

    /** Returns the method that uses the faults: the test itself, or one that it reaches. */
    private static Optional<JavaCodeUnit> userOfFaults(JavaMethod test) {
        Set<JavaCodeUnit> seen = new HashSet<>(Set.of(test));
        Deque<JavaCodeUnit> next = new ArrayDeque<>(seen);
        while (!next.isEmpty()) {
            JavaCodeUnit unit = next.remove();
            for (JavaAccess<?> access : unit.getAccessesFromSelf()) {
                if (isFaults(access.getTargetOwner())) {
                    return Optional.of(unit);
                }
                Optional<? extends JavaMember> target = access.getTarget().resolveMember();
                if (target.isPresent() && target.get() instanceof JavaCodeUnit called && seen.add(called)) {
                    next.add(called);
                }
            }
        }
        return Optional.empty();
    }

    private static boolean isFaults(JavaClass type) {
        return type.getName().equals(FAULTS) || type.getName().startsWith(FAULTS + "$");
    }
}
