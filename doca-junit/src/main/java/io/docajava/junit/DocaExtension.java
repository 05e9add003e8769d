/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.junit;

import io.docajava.core.Doca;
import io.docajava.core.device.Device;
import io.docajava.core.internal.lifecycle.LeakReport;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.ffi.Backend;
import java.lang.reflect.AnnotatedElement;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * An extension of JUnit for tests that use DOCA. Tests for the emulator enable it by {@link DocaEmulator}, and tests for any DOCA
 * libraries by {@code @ExtendWith(DocaExtension.class)}.
 *
 * <p>Constructors, tests and lifecycle methods can have these parameters:
 *
 * <ul>
 *   <li>{@link Device}: the first device, open
 *   <li>{@link ProgressEngine}: an engine that belongs to the thread of the test
 *   <li>{@link ProgressLoop}: a running loop
 *   <li>{@link EmulatorFaults}: an empty set of faults, which the test replaces with {@link EmulatorFaults#replace}; not
 *       in {@code @BeforeAll} and {@code @AfterAll} methods
 *   <li>{@link PeerJvm}: a JVM that the test starts; each parameter is another JVM
 * </ul>
 *
 * <p>A test and its lifecycle methods share one object of each type, except peers. All tests of a class share the objects of its
 * {@code @BeforeAll} methods. After the test, the extension closes all faults, including those that the test has injected directly,
 * ends the peers, and closes the objects in reverse order.
 *
 * <p>The extension then fails a test that has left a resource open, such as a device, a memory map or a context. The message has
 * the line that opened the resource. The extension closes those resources that the thread of the test may close. The methods
 * {@code @BeforeAll} and {@code @AfterAll} of a class must together close what they open. The check covers all threads of the JVM,
 * so such tests must not run in parallel with others that use DOCA.
 */
public final class DocaExtension
        implements ExecutionCondition,
                BeforeAllCallback,
                TestInstancePreConstructCallback,
                BeforeEachCallback,
                AfterEachCallback,
                AfterAllCallback,
                ParameterResolver {

    private static final String EMULATOR_CLASS = "io.docajava.emulator.EmulatorFaults";

    static {
        LeakReport.traceOpenings();
    }

    /**
     * Creates an extension. Called by JUnit.
     *
     * @throws IllegalStateException if {@code doca-emulator} is missing
     */
    public DocaExtension() {
        try {
            Class.forName(EMULATOR_CLASS, false, DocaExtension.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            // Without this, a NoClassDefFoundError would name the class only, and no artifact.
            throw new IllegalStateException(
                    "doca-junit needs the artifact io.docajava:doca-emulator, and the class path does not have it. Add it as a"
                            + " dependency with the scope test and the version of doca-junit",
                    e);
        }
    }

    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext rootContext) {
        return ExtensionContextScope.TEST_METHOD;
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        Optional<DocaEmulator> annotation = context.getElement().flatMap(DocaExtension::annotation);
        if (annotation.isEmpty()) {
            return ConditionEvaluationResult.enabled("does not need the emulator");
        }
        @Nullable String backend = setting("doca.backend", "DOCA_BACKEND");
        if (backend == null && setting("doca.library.path", "DOCA_LIBRARY_PATH") == null) {
            System.setProperty("doca.backend", "emulator");
            if (Doca.backend() != Backend.EMULATOR) {
                throw new IllegalStateException(
                        context.getDisplayName() + " needs the emulator, and this JVM has loaded DOCA " + Doca.version()
                                + " before; set -Ddoca.backend=emulator for all tests");
            }
        }
        boolean isEmulator =
                backend == null ? Doca.backend() == Backend.EMULATOR : backend.equalsIgnoreCase("emulator");
        return isEmulator
                ? ConditionEvaluationResult.enabled("has the emulator")
                : ConditionEvaluationResult.disabled("needs the emulator, and "
                        + (backend == null ? "doca.library.path" : "doca.backend=" + backend) + " chooses an SDK");
    }

    private static @Nullable String setting(String property, String variable) {
        return Stream.of(
                        Optional.ofNullable(System.getProperty(property)), Optional.ofNullable(System.getenv(variable)))
                .flatMap(Optional::stream)
                .map(String::strip)
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElse(null);
    }

    private static Optional<DocaEmulator> annotation(AnnotatedElement element) {
        return AnnotationSupport.findAnnotation(element, DocaEmulator.class);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        begin(context);
    }

    @Override
    public void preConstructTestInstance(TestInstanceFactoryContext factoryContext, ExtensionContext context) {
        // JUnit creates the instance of a test before it asks whether the test is skipped.
        if (!evaluateExecutionCondition(context).isDisabled()) {
            begin(context);
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        begin(context);
    }

    private static void begin(ExtensionContext context) {
        OpenResources.addTest(context.getRequiredTestClass());
        settings(context).apply(context.getDisplayName());
        session(context);
    }

    /** Returns the settings of the innermost annotation around a test. */
    private static Settings settings(ExtensionContext context) {
        return around(context)
                .flatMap(outer -> outer.getElement().flatMap(DocaExtension::annotation).stream())
                .findFirst()
                .map(Settings::of)
                .orElse(Settings.OF_ENVIRONMENT);
    }

    /** Returns the context, the context of its class, and so on. */
    private static Stream<ExtensionContext> around(ExtensionContext context) {
        return Stream.iterate(
                        Optional.of(context), Optional::isPresent, inner -> inner.flatMap(ExtensionContext::getParent))
                .flatMap(Optional::stream);
    }

    private static Stream<ExtensionContext> classesAround(ExtensionContext context) {
        return around(context).filter(outer -> outer.getTestClass().isPresent());
    }

    private static Session session(ExtensionContext context) {
        return context.getStore(Namespace.create(DocaExtension.class, context.getUniqueId()))
                .getOrComputeIfAbsent(Session.class, key -> new Session(), Session.class);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        end(context, "the test");
    }

    @Override
    public void afterAll(ExtensionContext context) {
        end(context, "the tests of " + context.getDisplayName());
    }

    /** Ends a test or a class, and restores the outer settings, which also apply to later tests without this extension. */
    private static void end(ExtensionContext context, String owner) {
        Settings outer = context.getParent().map(DocaExtension::settings).orElse(Settings.OF_ENVIRONMENT);
        session(context)
                .end(
                        context,
                        owner,
                        classesAround(context)
                                .skip(1)
                                .map(DocaExtension::session)
                                .toList(),
                        () -> outer.apply("the tests after " + context.getDisplayName()));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return Session.TYPES.contains(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        settings(context).apply(context.getDisplayName());
        Session session = session(context);
        if (type == PeerJvm.class) {
            return PeerJvm.create();
        }
        if (type == EmulatorFaults.class && context.getTestMethod().isEmpty()) {
            throw new ParameterResolutionException(
                    "EmulatorFaults end with the test, so only the methods of one test, such as "
                            + "@Test and @BeforeEach, can have them as a parameter");
        }
        return classesAround(context)
                .flatMap(outer -> session(outer).find(type).stream())
                .findFirst()
                .orElseGet(() -> session.open(type));
    }
}
