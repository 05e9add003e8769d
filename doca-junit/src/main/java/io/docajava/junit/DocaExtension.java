/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.junit;

import io.docajava.core.Doca;
import io.docajava.core.device.Device;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.ffi.Backend;
import java.lang.reflect.AnnotatedElement;
import java.util.Optional;
import java.util.Set;
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
 * Supports tests that use DOCA. Tests for the emulator have it by {@link DocaEmulator}, and tests for any DOCA by
 * {@code @ExtendWith(DocaExtension.class)}.
 *
 * <p>Constructors, tests and methods around them can have these parameters:
 *
 * <ul>
 *   <li>{@link Device}: the first device, open
 *   <li>{@link ProgressEngine}: an engine of the thread that resolves the parameter, which is that of the test
 *   <li>{@link ProgressLoop}: a loop that runs
 *   <li>{@link EmulatorFaults}: no faults, which the test replaces by others with {@link EmulatorFaults#replace}
 *   <li>{@link PeerJvm}: a JVM that the test starts; each parameter is another one
 * </ul>
 *
 * <p>A test and the methods around it share one object of each type, except peers. What a method with {@code @BeforeAll} has got is
 * shared by all tests of the class. Afterwards faults are closed, also those that the test has injected itself and
 * left; peers are ended; and the objects are closed, the newest first.
 *
 * <p>Then a test fails that has left a resource open, such as a device, a memory map or a context, with the line that opened it; what the thread of the test may close is closed then. What
 * {@code @BeforeAll} opens has to be closed when all tests of the class have run. The check is for all threads of the JVM, so
 * tests must not run in parallel with others that use DOCA.
 */
public final class DocaExtension
        implements ExecutionCondition,
                BeforeAllCallback,
                TestInstancePreConstructCallback,
                BeforeEachCallback,
                AfterEachCallback,
                AfterAllCallback,
                ParameterResolver {

    private static final Set<Class<?>> TYPES =
            Set.of(Device.class, ProgressEngine.class, ProgressLoop.class, EmulatorFaults.class, PeerJvm.class);

    static {
        Resource.traceOpenings();
    }

    /** For JUnit. */
    public DocaExtension() {}

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
        begin(context);
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

    /** Those of the next annotation around it. */
    private static Settings settings(ExtensionContext context) {
        return around(context)
                .flatMap(outer -> outer.getElement().flatMap(DocaExtension::annotation).stream())
                .findFirst()
                .map(Settings::of)
                .orElse(Settings.OF_ENVIRONMENT);
    }

    /** The context, the one of its class, and so on. */
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

    /** Tests outside of it get their own settings again, also those without this extension. */
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
                        () -> outer.apply("what follows " + context.getDisplayName()));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return TYPES.contains(parameter.getParameter().getType());
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
