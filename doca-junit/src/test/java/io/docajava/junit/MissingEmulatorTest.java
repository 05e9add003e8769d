/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Tests doca-junit in a project that excludes doca-emulator. */
class MissingEmulatorTest {

    @DocaEmulator
    static class ByAnnotation {

        @Test
        void isNotRun() {}
    }

    @ExtendWith(DocaExtension.class)
    static class ByExtension {

        @Test
        void isNotRun() {}
    }

    /** Runs in the class loader without the emulator, and returns the failure of each class. */
    public static final class Failures implements Callable<List<String>> {

        /** Called by reflection from a class of another class loader. */
        public Failures() {}

        @Override
        public List<String> call() {
            return Stream.of(ByAnnotation.class, ByExtension.class)
                    .map(Failures::of)
                    .toList();
        }

        private static String of(Class<?> testClass) {
            return EngineTestKit.engine("junit-jupiter")
                    .selectors(selectClass(testClass))
                    .execute()
                    .allEvents()
                    .failed()
                    .stream()
                    .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                    .flatMap(result -> result.getThrowable().stream())
                    .map(Throwable::toString)
                    .findFirst()
                    .orElse("no failure");
        }
    }

    private static URL[] pathWithoutEmulator() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(path -> !path.contains("doca-emulator"))
                .map(MissingEmulatorTest::url)
                .toArray(URL[]::new);
    }

    private static URL url(String path) {
        try {
            return Path.of(path).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(path, e);
        }
    }

    @Test
    void isNamed() throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader outer = thread.getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(pathWithoutEmulator(), ClassLoader.getPlatformClassLoader())) {
            thread.setContextClassLoader(loader); // in which JUnit finds its engine
            Object failures = loader.loadClass(Failures.class.getName())
                    .getDeclaredConstructor()
                    .newInstance();

            assertThat((List<?>) ((Callable<?>) failures).call())
                    .hasSize(2)
                    .allSatisfy(failure -> assertThat(failure.toString())
                            .contains("java.lang.IllegalStateException: doca-junit needs the artifact"
                                    + " io.docajava:doca-emulator, and the class path does not have it. Add it as a"
                                    + " dependency with the scope test and the version of doca-junit"));
        } finally {
            thread.setContextClassLoader(outer);
        }
    }
}
