/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.util.JavacTask;
import io.docajava.testing.TestJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

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

    @Test
    void describesEveryPublicTypeAndMemberWithItsParametersAndResult() throws IOException {
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "a JDK");
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(found, null, null)) {
            List<Path> sources = MODULES.stream()
                    .map(module -> ROOT.resolve(module).resolve("src/main/java"))
                    .flatMap(PublicJavadoc::sources)
                    .toList();
            assertThat(sources).hasSizeGreaterThan(200);
            List<String> options = List.of(
                    "-proc:none",
                    "-Xdoclint:missing/protected",
                    "-Xmaxwarns",
                    "1000",
                    "-classpath",
                    TestJvm.classPath());
            JavacTask task = (JavacTask)
                    compiler.getTask(null, files, found, options, null, files.getJavaFileObjectsFromPaths(sources));
            task.analyze();
        }
        assertThat(found.getDiagnostics().stream()
                        .filter(one -> one.getKind() != Diagnostic.Kind.NOTE)
                        .map(String::valueOf))
                .isEmpty();
    }
}
