/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.declarations;

import io.docajava.ffi.testing.CCompiler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The declarations of our headers, as gcc reports them. */
final class Headers {

    private static final Path INCLUDE = Path.of("target/api/current/include");
    private static final Path JEXTRACT = Path.of("src/main/jextract");

    /** Contains the build configuration of C programs, which is not part of the ABI. */
    private static final Path BUILD_CONFIG = Path.of("doca_build_config.h");

    private static final Pattern PROTOTYPE = Pattern.compile("/\\* (.*?):\\d+:\\w+ \\*/ (extern|static) (.*);");
    private static final Pattern FUNCTION_NAME = Pattern.compile("\\b(\\w+) \\(");
    private static final Pattern CALLBACK_TYPEDEF = Pattern.compile("typedef ([^;(]*?)\\(\\*?(\\w+)\\)\\(([^;]*)\\);");
    private static final Pattern ENUMERATOR = Pattern.compile("^\\s+(DOCA_\\w+) = ", Pattern.MULTILINE);
    private static final Pattern VALUE_MACRO =
            Pattern.compile("^#define (DOCA_\\w+) (?:-?\\d|\").*$", Pattern.MULTILINE);
    /** An aggregate, or a member that is a structure of the system. */
    private static final Pattern AGGREGATE =
            Pattern.compile("^(struct|union) (\\w+) \\{|^    (struct) (?!doca_)(\\w+) \\w+;", Pattern.MULTILINE);

    /** The prefix of functions that are declared to examine a callback type. */
    private static final String CALLBACK_PROBE = "probe_";

    private final Path work;
    private final String text;
    private final SortedMap<String, Prototype> functions = new TreeMap<>();
    private final SortedMap<String, Prototype> callbacks = new TreeMap<>();

    Headers(Path work) {
        this.work = work;
        text = headerFiles().map(Headers::read).collect(Collectors.joining("\n"));
        StringBuilder source = new StringBuilder(includes());
        Matcher callback = CALLBACK_TYPEDEF.matcher(text);
        while (callback.find()) {
            source.append("extern %s %s%s(%s);\n"
                    .formatted(callback.group(1), CALLBACK_PROBE, callback.group(2), callback.group(3)));
        }
        for (String line : CCompiler.prototypes(work.resolve("prototypes"), source.toString(), options())) {
            Matcher prototype = PROTOTYPE.matcher(line);
            if (prototype.matches() && prototype.group(2).equals("extern")) {
                add(prototype.group(1), Prototype.parse(prototype.group(3)));
            }
        }
    }

    private void add(String file, Prototype prototype) {
        if (prototype.name().startsWith(CALLBACK_PROBE)) {
            callbacks.put(prototype.name().substring(CALLBACK_PROBE.length()), prototype);
        } else if (file.contains(INCLUDE.toString())) {
            functions.put(prototype.name(), prototype);
        }
    }

    /**
     * A function, as the compiler reports it.
     *
     * @param result the type of its result, as spelled in C
     * @param parameters the types of its parameters, as spelled in C
     */
    record Prototype(String name, String result, List<String> parameters, boolean variadic) {

        static Prototype parse(String text) {
            Matcher matcher = FUNCTION_NAME.matcher(text);
            if (!matcher.find()) {
                throw new IllegalArgumentException("No prototype: " + text);
            }
            String result = text.substring(0, matcher.start(1)).strip();
            List<String> parameters = split(text.substring(matcher.end(), text.lastIndexOf(')')));
            boolean variadic = parameters.remove("...");
            parameters.remove("void");
            return new Prototype(matcher.group(1), result, List.copyOf(parameters), variadic);
        }

        private static List<String> split(String list) {
            List<String> parts = new ArrayList<>();
            int depth = 0;
            int start = 0;
            for (int i = 0; i < list.length(); i++) {
                char c = list.charAt(i);
                depth += c == '(' ? 1 : c == ')' ? -1 : 0;
                if (c == ',' && depth == 0) {
                    parts.add(list.substring(start, i).strip());
                    start = i + 1;
                }
            }
            parts.add(list.substring(start).strip());
            return parts;
        }

        Stream<String> types() {
            return Stream.concat(Stream.of(result), parameters.stream());
        }
    }

    /** Returns every function that a DOCA library exports. */
    SortedMap<String, Prototype> functions() {
        return functions;
    }

    /** Returns every typedef of a function or a pointer to a function. */
    SortedMap<String, Prototype> callbacks() {
        return callbacks;
    }

    /** Returns every enumerator and every macro that is a number or text, except those that only C's log macros use. */
    SortedSet<String> constants() {
        SortedSet<String> names = new TreeSet<>();
        Stream.of(ENUMERATOR, VALUE_MACRO)
                .forEach(pattern -> pattern.matcher(text).results().forEach(match -> names.add(match.group(1))));
        names.remove("DOCA_LOG_REGISTER_PRIORITY");
        return names;
    }

    /** Returns every structure and union with known members: its name, and its type in C. */
    SortedMap<String, String> aggregates() {
        SortedMap<String, String> names = new TreeMap<>();
        AGGREGATE.matcher(text).results().forEach(match -> {
            int first = match.group(1) == null ? 3 : 1;
            names.put(match.group(first + 1), match.group(first) + " " + match.group(first + 1));
        });
        return names;
    }

    /** Returns the typedef of a callback parameter of a function, by the name of the parameter. */
    String callbackOf(String function, String parameter) {
        Matcher matcher = Pattern.compile("\\b" + function + "\\(([^;]*?)\\b" + parameter + "[,)]")
                .matcher(text.replaceAll("\\s+", " "));
        if (!matcher.find()) {
            throw new IllegalArgumentException(function + " has no parameter " + parameter);
        }
        String before = matcher.group(1);
        return before.substring(before.lastIndexOf(',') + 1).replace("*", "").strip();
    }

    /**
     * The way in which a type is passed.
     *
     * @param kind pointer, integer, bool, real or aggregate
     * @param size the size in bytes
     */
    record Passing(String kind, long size) {}

    /** Asks the compiler about types. */
    Map<String, Passing> passing(Collection<String> types) {
        List<String> ordered = List.copyOf(types);
        StringBuilder body = new StringBuilder();
        for (String type : ordered) {
            body.append("""
                        {
                            %1$s value;
                            __builtin_memset((void *)&value, 0, sizeof(value));
                            printf("%%s %%zu\\n", kind(__builtin_classify_type(value), IS_BOOL(value)), sizeof(value));
                        }
                    """.formatted(mutable(type)));
        }
        List<String> lines = run(body.toString());
        Map<String, Passing> result = new HashMap<>();
        for (int i = 0; i < ordered.size(); i++) {
            String[] facts = lines.get(i).split(" ", -1);
            result.put(ordered.get(i), new Passing(facts[0], Long.parseLong(facts[1])));
        }
        return result;
    }

    /** Returns the type without {@code const}, so that a variable can have it. Both are passed the same way. */
    private static String mutable(String type) {
        return type.contains("(*)") ? "__typeof__(" + type + ")" : type.replaceAll("\\bconst\\b", "");
    }

    /** Evaluates C expressions and returns integers as decimal numbers and texts unchanged. */
    List<String> evaluate(List<String> expressions) {
        return run(expressions.stream()
                .map(expression -> "    PRINT(%s);\n".formatted(expression))
                .collect(Collectors.joining()));
    }

    private List<String> run(String body) {
        String source = """
                #include <stdio.h>
                #include <stddef.h>
                #include <stdbool.h>
                %s
                #define IS_BOOL(value) _Generic((value), _Bool: 1, default: 0)
                #define PRINT(value) \\
                    printf(_Generic((value), char *: "%%s\\n", const char *: "%%s\\n", unsigned long: "%%lu\\n", \\
                                    long: "%%ld\\n", unsigned int: "%%u\\n", default: "%%d\\n"), (value))
                static inline const char *kind(int type_class, int is_bool) {
                    switch (type_class) {
                        case 5: return "pointer";
                        case 8: return "real";
                        case 12: case 13: return "aggregate";
                        default: return is_bool ? "bool" : "integer";
                    }
                }
                int main(void) {
                    (void)kind;
                %s
                    return 0;
                }
                """.formatted(includes(), body);
        return CCompiler.runProgram(work.resolve("probe"), source, options())
                .lines()
                .toList();
    }

    private static String includes() {
        return Stream.of("common", "dma", "rdma", "comch")
                .map(library -> "#include \"%s\"%n"
                        .formatted(JEXTRACT.resolve(library + ".h").toAbsolutePath()))
                .collect(Collectors.joining());
    }

    private static String[] options() {
        return new String[] {
            "-DDOCA_ALLOW_EXPERIMENTAL_API", "-I" + INCLUDE.toAbsolutePath(), "-Wno-format", "-Wno-unused-function"
        };
    }

    private static Stream<Path> headerFiles() {
        try (Stream<Path> files = Files.list(INCLUDE)) {
            return files.filter(file -> !file.endsWith(BUILD_CONFIG)).sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
