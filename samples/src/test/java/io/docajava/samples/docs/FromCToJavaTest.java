/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tests that every function of the C libraries has a row in {@code docs/c-to-java.md}: the public methods whose comments name
 * it, or a line of {@code c-to-java.tsv}. {@code -Ddoca.docs.write=true} rewrites the tables of the page.
 */
class FromCToJavaTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Path PAGE = ROOT.resolve("docs/c-to-java.md");
    private static final Path HEADERS = ROOT.resolve("doca-ffi/target/api/current/include");

    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/", Pattern.DOTALL);
    private static final Pattern MACRO = Pattern.compile("(?m)^#(.*\\\\\\n)*.*$");
    private static final Pattern DECLARATION = Pattern.compile("\\b(doca_[a-z0-9_]+)\\s*\\(");
    private static final Pattern FUNCTION = Pattern.compile("`(doca_[a-z0-9_]+)`");
    private static final Pattern JAVA_NAME = Pattern.compile("`([A-Z][^`]*)`");

    private static PublicJavadoc javadoc;
    private static List<Rule> rules;
    private static SortedMap<String, Set<String>> functions;

    /** The text for functions whose names match. */
    private record Rule(String glob, Pattern pattern, String words) {

        static Rule of(String line) {
            String[] columns = line.split("\t", -1);
            assertThat(columns).as(line).hasSize(2);
            return new Rule(columns[0], Pattern.compile(columns[0].replace("*", ".*")), columns[1]);
        }

        boolean matches(String function) {
            return pattern.matcher(function).matches();
        }
    }

    @BeforeAll
    static void read() throws IOException {
        javadoc = PublicJavadoc.read(Stream.of("doca-ffi", "doca-core", "doca-dma", "doca-rdma", "doca-comch")
                .map(module -> ROOT.resolve(module).resolve("src/main/java"))
                .toList());
        rules = rules();
        functions = functions();
    }

    @Test
    void everyFunctionHasARow() throws IOException {
        List<String> without = functions.values().stream()
                .flatMap(Set::stream)
                .filter(function -> row(function) == null)
                .toList();
        assertThat(without)
                .as("functions that no public comment names, and no line of c-to-java.tsv")
                .isEmpty();
        String page = page();
        if (Boolean.getBoolean("doca.docs.write")) {
            Files.writeString(PAGE, page);
        }
        assertThat(PAGE).as("write it anew by -Ddoca.docs.write=true").hasContent(page);
    }

    @Test
    void everyRuleIsNeeded() {
        List<@Nullable Rule> used = functions.values().stream()
                .flatMap(Set::stream)
                .map(FromCToJavaTest::rule)
                .toList();
        assertThat(rules).filteredOn(rule -> !used.contains(rule)).isEmpty();
    }

    @Test
    void everyRuleNamesPublicJava() {
        List<String> unknown = new ArrayList<>();
        for (Rule rule : rules) {
            Matcher name = JAVA_NAME.matcher(rule.words());
            while (name.find()) {
                if (!javadoc.members().contains(name.group(1))) {
                    unknown.add(name.group(1) + " for " + rule.glob());
                }
            }
        }
        assertThat(unknown).isEmpty();
    }

    @Test
    void theIntroductionNamesDeclaredFunctions() throws IOException {
        Set<String> declared = new TreeSet<>(Set.of("doca_error_t"));
        functions.values().forEach(declared::addAll);
        List<String> named = FUNCTION.matcher(introduction())
                .results()
                .map(function -> function.group(1))
                .toList();
        assertThat(named).hasSizeGreaterThan(20).isSubsetOf(declared);
    }

    /** Returns the hand-written part of the page. */
    private static String introduction() throws IOException {
        String page = Files.readString(PAGE);
        int tables = page.indexOf("\n## doca_");
        assertThat(tables).as("the place of the first table in " + PAGE).isPositive();
        return page.substring(0, tables);
    }

    private static String page() throws IOException {
        StringBuilder page = new StringBuilder(introduction());
        functions.forEach((header, names) -> {
            page.append("\n## ").append(header).append("\n\n| C | Java |\n|---|---|\n");
            for (String name : names) {
                page.append("| `").append(name).append("` | ").append(row(name)).append(" |\n");
            }
        });
        return page.toString();
    }

    private static @Nullable String row(String function) {
        List<String> members = javadoc.mentioning(function);
        if (!members.isEmpty()) {
            return members.stream().map(member -> "`" + member + "`").collect(joining(", "));
        }
        Rule rule = rule(function);
        return rule == null ? null : rule.words();
    }

    /** Returns the rule for a function that no public comment names. */
    private static @Nullable Rule rule(String function) {
        if (!javadoc.mentioning(function).isEmpty()) {
            return null;
        }
        return rules.stream().filter(rule -> rule.matches(function)).findFirst().orElse(null);
    }

    private static List<Rule> rules() throws IOException {
        try (InputStream lines = Objects.requireNonNull(FromCToJavaTest.class.getResourceAsStream("c-to-java.tsv"))) {
            return new String(lines.readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(Rule::of)
                    .toList();
        }
    }

    private static SortedMap<String, Set<String>> functions() throws IOException {
        SortedMap<String, Set<String>> functions = new TreeMap<>();
        List<Path> headers = new ArrayList<>();
        try (Stream<Path> files = Files.list(HEADERS)) {
            files.filter(file -> file.toString().endsWith(".h")).forEach(headers::add);
        }
        for (Path header : headers) {
            String declarations = MACRO.matcher(
                            COMMENT.matcher(Files.readString(header)).replaceAll(""))
                    .replaceAll("");
            Matcher declaration = DECLARATION.matcher(declarations);
            while (declaration.find()) {
                functions
                        .computeIfAbsent(header.getFileName().toString(), key -> new TreeSet<>())
                        .add(declaration.group(1));
            }
        }
        return functions;
    }
}
