/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.docs;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.util.JavacTask;
import io.docajava.testing.TestJvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the Javadoc of all packages that modules export without restriction. */
class JavadocTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final List<String> MODULES = List.of(
            "doca-ffi",
            "doca-core",
            "doca-dma",
            "doca-rdma",
            "doca-comch",
            "doca-emulator",
            "doca-junit",
            "doca-micrometer");

    /** The compiler asks for a folder, and writes nothing to it. */
    @TempDir
    private Path folder;

    @Test
    void describesEveryPublicTypeAndMemberWithItsParametersAndResult() throws IOException {
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "a JDK");
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        Set<Path> sources = MODULES.stream()
                .map(module -> ROOT.resolve(module).resolve("src/main/java"))
                .flatMap(PublicJavadoc::sources)
                .collect(toSet());
        try (StandardJavaFileManager files = compiler.getStandardFileManager(found, null, null)) {
            assertThat(sources).hasSizeGreaterThan(150);
            List<String> options = new ArrayList<>(List.of(
                    "-proc:none",
                    "-implicit:none",
                    "-d",
                    folder.toString(),
                    "-Xdoclint:missing/protected",
                    "-Xmaxwarns",
                    "100000",
                    "--module-path",
                    TestJvm.classPath()));
            // Sealed types permit types of other packages only within a named module.
            for (String module : MODULES) {
                options.add("--module-source-path");
                options.add(module.replace("doca-", "io.docajava.") + "="
                        + Stream.of("main/java", "generated/java")
                                .map(ROOT.resolve(module).resolve("src")::resolve)
                                .filter(Files::isDirectory)
                                .map(Path::toString)
                                .collect(joining(File.pathSeparator)));
            }
            JavacTask task = (JavacTask)
                    compiler.getTask(null, files, found, options, null, files.getJavaFileObjectsFromPaths(sources));
            task.analyze();
        }
        assertThat(found.getDiagnostics().stream()
                        .filter(one -> one.getKind() != Diagnostic.Kind.NOTE && isAbout(sources, one))
                        .map(String::valueOf))
                .isEmpty();
    }

    /** Returns whether a diagnostic is about one of the sources. The compiler also reads the sources that those need. */
    private static boolean isAbout(Set<Path> sources, Diagnostic<? extends JavaFileObject> one) {
        JavaFileObject source = one.getSource();
        return source == null || sources.contains(Path.of(source.toUri()));
    }
}
