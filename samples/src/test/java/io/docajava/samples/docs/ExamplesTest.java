/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.testing.TestJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that every Java example of the README, of the pages below {@code docs} and of Javadoc compiles. {@code example-names.txt}
 * declares the names that an example uses but does not declare.
 */
class ExamplesTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    private static final Pattern BLOCK = Pattern.compile("(?m)^( *)```java\n(.*?)^ *```$", Pattern.DOTALL);
    private static final Pattern SNIPPET = Pattern.compile(
            "(?m)^ *\\* \\{@snippet(?: lang = java)? :\n(.*?)^ *\\* \\}$(?=\n *\\*/?$)", Pattern.DOTALL);
    private static final Pattern STAR = Pattern.compile("(?m)^ *\\* ?");
    private static final Pattern OMISSION = Pattern.compile("(?m)^ *\\.\\.\\.$|(?<=\\{ )\\.\\.\\.(?= })");

    /** The beginning of a test or of a test class. */
    private static final Pattern MEMBER = Pattern.compile("^ *@");

    @TempDir
    private Path folder;

    @Test
    void everyExampleCompiles() throws IOException {
        Map<String, String> examples = new TreeMap<>();
        for (Path page : pages()) {
            find(page, BLOCK, 2, examples);
        }
        assertThat(examples).hasSizeGreaterThan(8);
        int inPages = examples.size();
        for (Path source : sources()) {
            find(source, SNIPPET, 1, examples);
        }
        assertThat(examples).hasSizeGreaterThan(inPages + 15);

        assertThat(compile(examples)).isEmpty();
    }

    @Test
    void anExampleWithAMistakeIsReported() throws IOException {
        assertThat(compile(Map.of("page.md, line 7", "engine.noSuchMethod();")))
                .singleElement()
                .asString()
                .startsWith("page.md, line 7: ")
                .contains("noSuchMethod");
    }

    private static void find(Path file, Pattern pattern, int group, Map<String, String> examples) throws IOException {
        String text = Files.readString(file);
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            long line = text.substring(0, matcher.start()).lines().count() + 1;
            String code = matcher.group(group);
            examples.put(
                    ROOT.relativize(file) + ", line " + line,
                    pattern.equals(SNIPPET) ? STAR.matcher(code).replaceAll("") : code);
        }
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(Stream.of(ROOT.resolve("README.md")), docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.filter(module -> !module.endsWith("doca-ffi")) // no program calls it directly
                    .map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .sorted()
                    .toList()) {
                try (Stream<Path> files = Files.walk(module)) {
                    files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
                }
            }
        }
        return sources;
    }

    /** Compiles each example as a separate class, and returns the errors. */
    private List<String> compile(Map<String, String> examples) throws IOException {
        Map<String, String> namesOfFiles = new TreeMap<>();
        for (Map.Entry<String, String> example : examples.entrySet()) {
            String name = "Example" + namesOfFiles.size();
            namesOfFiles.put(name + ".java", example.getKey());
            Files.writeString(folder.resolve(name + ".java"), program(name, example.getValue()));
        }
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "a JDK");
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            compiler.getTask(
                            null,
                            files,
                            diagnostics,
                            List.of(
                                    "-proc:none",
                                    "-implicit:none",
                                    "-cp",
                                    TestJvm.classPath(),
                                    "-d",
                                    folder.toString()),
                            null,
                            files.getJavaFileObjectsFromPaths(namesOfFiles.keySet().stream()
                                    .map(folder::resolve)
                                    .toList()))
                    .call();
        }
        return diagnostics.getDiagnostics().stream()
                .filter(diagnostic -> diagnostic.getSource() != null)
                .map(diagnostic ->
                        namesOfFiles.get(Path.of(diagnostic.getSource().getName())
                                        .getFileName()
                                        .toString())
                                + ": " + diagnostic.getMessage(null))
                .toList();
    }

    /** Returns the program of an example. A complete program is left unchanged. */
    private static String program(String name, String example) throws IOException {
        if (example.contains("void main(")) {
            return example;
        }
        String imports = Files.readString(ROOT.resolve("scripts/jshell-imports.jsh"));
        String[] names = Files.readString(
                        ROOT.resolve("samples/src/test/resources/io/docajava/samples/docs/example-names.txt"))
                .split("(?m)^---$", 2);
        String code = OMISSION.matcher(example).replaceAll("");
        return imports + names[0] + "abstract class " + name + " {\n" + names[1]
                + (MEMBER.matcher(code).find() ? code : "\nvoid run() throws Exception {\n" + code + "}\n") + "}\n";
    }
}
