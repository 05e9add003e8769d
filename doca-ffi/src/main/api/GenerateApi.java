/* SPDX-License-Identifier: Apache-2.0 */

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Generates everything that the description of the API determines: {@code java GenerateApi.java ROOT OUTPUT}. Files whose content does
 * not change keep their time.
 *
 * <p>The description is two folders of headers with marks, which api_marks.h explains. This program reads them as lines, not as C: a
 * function begins with a line of {@code DOCA_STABLE} or {@code DOCA_EXPERIMENTAL} and ends with a semicolon.
 *
 * <p>OUTPUT gets {@code resources/} with symbols.tsv, {@code releases.tsv} with the name, build, kind, version in sonames and libraries
 * of each release, and for each release, and {@code current}, a folder:
 *
 * <ul>
 *   <li>{@code include/}: its headers
 *   <li>{@code functions.tsv}: library, function, the function of the current ABI that has the same parameters, or {@code -}; stability
 *   <li>{@code LIBRARY.map}: the version script of the emulator's library
 *   <li>{@code LIBRARY_renames.h}, {@code LIBRARY_entries.c}: the entry points by which faults can fail functions
 *   <li>{@code LIBRARY_forwards.c}: functions of a release with work queues that are functions of the core
 *   <li>{@code sdk_functions.h}, {@code sdk_functions.c}: pointers to all functions, for doca-conformance
 *   <li>{@code getters/}: the emulator's functions that only read a property
 *   <li>{@code core/}: the names and headers of the core for the releases with work queues
 *   <li>{@code jextract/}: what scripts/generate-bindings makes for Java
 *   <li>{@code compat/}: the functions of these releases that doca-compat calls, and its functions that only call another one
 * </ul>
 */
final class GenerateApi {

    /** A release, which has the declarations of its time; {@link Kind#CURRENT} has the current ones of all releases. */
    private record Release(String name, String build, Path description, Kind kind) {
        boolean has(Version since, Version until) {
            return isCurrent() ? until == null : !isBefore(since) && (until == null || isBefore(until));
        }

        boolean isBefore(Version version) {
            return !isCurrent() && Version.of(name).compareTo(version) < 0;
        }

        boolean isCurrent() {
            return kind == Kind.CURRENT;
        }

        String tag() {
            return name.replace('.', '_');
        }
    }

    private enum Kind {
        /** Not a release, but what the emulator's sources and Java call. */
        CURRENT,
        /** Its libraries are the objects of the emulator's sources, some with other names. */
        FRONT,
        /** Its libraries are sources of their own over these objects. */
        WORK_QUEUES
    }

    private record Version(int major, int minor) implements Comparable<Version> {
        static Version of(String text) {
            int dot = text.indexOf('.');
            return new Version(Integer.parseInt(text.substring(0, dot)), Integer.parseInt(text.substring(dot + 1)));
        }

        @Override
        public int compareTo(Version other) {
            return Comparator.comparingInt(Version::major)
                    .thenComparingInt(Version::minor)
                    .compare(this, other);
        }

        @Override
        public String toString() {
            return major + "." + minor;
        }
    }

    /** Lines of a header that belong together, and the marks that apply to them. */
    private static final class Part {
        final List<String> lines = new ArrayList<>();
        String header;
        Version since;
        /** The first release that has the lines, if another one has the function with other parameters. */
        Version from;
        /** The first release that has other lines instead, which the current headers have. */
        Version until;
        /** The first release that lacks the function, which the current headers declare nevertheless. */
        Version lackedSince;

        String formerName;
        String sameAs;
        /** The first release in which the function is the same as that one. */
        Version sameSince;

        boolean isUnsupported;
        /** The expression that the function reads, or null, and whether it is an array. */
        String property;

        boolean isArray;
        /** The current function that doca-compat translates into this one alone; empty if it calls this one elsewhere; else null. */
        String translated;

        Function function;

        /** Returns the name that a release has for the function, or null if it has none. */
        String name(Release release) {
            if (isIn(release)) {
                return function.name();
            }
            boolean hasFormerName = formerName != null && release.kind() == Kind.FRONT && release.isBefore(since);
            return hasFormerName ? formerName : null;
        }

        List<String> lines(Release release) {
            if (function == null) {
                return isIn(release) ? lines : List.of();
            }
            String name = name(release);
            return name == null
                    ? List.of()
                    : lines.stream()
                            .map(line -> line.replaceFirst("\\b" + function.name() + "\\b", name))
                            .map(line -> release.kind() == Kind.FRONT ? line.replaceFirst("^__", "") : line)
                            .toList();
        }

        boolean isIn(Release release) {
            boolean isLacked = lackedSince != null && !release.isCurrent() && !release.has(since, lackedSince);
            return !isLacked && release.has(since, until) && (from == null || release.has(from, until));
        }
    }

    /** A declared function. Texts have single spaces. */
    private record Function(String library, String name, String type, String parameters, String stability) {
        boolean isVariadic() {
            return parameters.contains("...");
        }

        boolean isResult() {
            return type.equals("doca_error_t");
        }

        String arguments() {
            return parameters.equals("void")
                    ? ""
                    : Arrays.stream(parameters.split(","))
                            .map(parameter -> parameter.replaceFirst(".*?([A-Za-z0-9_]+)(\\[[0-9]+])?$", "$1"))
                            .collect(Collectors.joining(", "));
        }
    }

    /** A function as a release has it. */
    private record Entry(Part part, Function function, String name, String target) {
        String library() {
            return function.library();
        }
    }

    private static final Pattern MARK = Pattern.compile(
            " ?\\bAPI_(SINCE|UNTIL|WAS|LIKE|COMPAT|UNSUPPORTED|GETS|COPIES)\\(((?:[^()]|\\([^()]*\\))*)\\)");
    private static final Pattern HEADER_MARK = Pattern.compile("API_HEADER\\((\\w+), ([0-9.]+)(?:, ([0-9.]+))?\\)");
    private static final Pattern FUNCTION_START = Pattern.compile("(__)?DOCA_(STABLE|EXPERIMENTAL)");
    private static final Pattern DECLARATION = Pattern.compile("(.*?[ *])(\\w+) ?\\((.*)\\);");
    private static final Pattern CONDITION = Pattern.compile("#if (!?)API_BEFORE\\(([0-9.]+)\\)");
    private static final Pattern TYPE =
            Pattern.compile("(?:struct|union|enum) (\\w+);|typedef .*?(\\w+)(?:\\)\\(.*\\))?;");
    private static final Pattern VERSION =
            Pattern.compile("(?m)^(#define DOCA_VER(?:SION)?_(MAJOR|MINOR|PATCH|EXACT|OFFICIAL|STRING) ).*$");
    private static final Pattern WORD = Pattern.compile("\\w+");
    private static final Pattern FAST =
            Pattern.compile("doca_(task_|workq_submit$|workq_progress_retrieve$|buf_).*|.*_alloc_init");

    private final Path output;
    private final List<Release> releases;
    private final Map<Path, Map<String, List<Part>>> descriptions = new HashMap<>();

    private GenerateApi(Path root, Path output) throws IOException {
        this.output = output;
        Path current = root.resolve("doca-ffi/src/main/include");
        Path workQueues = root.resolve("doca-emulator/src/main/include");
        releases = List.of(
                new Release("current", "", current, Kind.CURRENT),
                new Release("3.4", "3.4.0112", current, Kind.FRONT),
                new Release("3.3", "3.3.0109", current, Kind.FRONT),
                new Release("3.0", "3.0.0058", current, Kind.FRONT),
                new Release("2.5", "2.5.0108", current, Kind.FRONT),
                new Release("2.2", "2.2.0080", workQueues, Kind.WORK_QUEUES),
                new Release("1.5", "1.5.0055", workQueues, Kind.WORK_QUEUES),
                new Release("1.4", "1.4.0079", workQueues, Kind.WORK_QUEUES));
        for (Path description : Set.of(current, workQueues)) {
            Map<String, List<Part>> headers = new TreeMap<>();
            try (Stream<Path> files = Files.list(description)) {
                for (Path file : files.filter(
                                file -> file.getFileName().toString().matches("doca_.*[.]h"))
                        .toList()) {
                    headers.put(file.getFileName().toString(), read(file));
                }
            }
            descriptions.put(description, headers);
        }
    }

    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 2) {
            System.err.println("usage: java GenerateApi.java ROOT OUTPUT");
            System.exit(2);
        }
        new GenerateApi(Path.of(arguments[0]), Path.of(arguments[1])).generate();
    }

    private void generate() throws IOException {
        Release current = releases.getFirst();
        writeSymbols(entries(current));
        StringBuilder table = new StringBuilder();
        for (Release release : releases) {
            writeHeaders(release);
            List<Entry> entries = entries(release);
            writeFunctions(release, entries);
            writeSdkFunctions(release, entries);
            Set<String> libraries = entries.stream().map(Entry::library).collect(Collectors.toCollection(TreeSet::new));
            if (!release.isCurrent()) {
                table.append("%s\t%s\t%s\t%d\t%s\n"
                        .formatted(
                                release.name(),
                                release.build(),
                                release.kind(),
                                Math.min(2, Version.of(release.name()).major()),
                                String.join(" ", libraries)));
            }
            for (String library : libraries) {
                writeVersionScript(release, library, entries);
                writeEntryPoints(release, library, entries);
                if (release.kind() == Kind.WORK_QUEUES) {
                    writeForwards(release, library, entries, entries(current));
                }
            }
        }
        write(output.resolve("releases.tsv"), table.toString());
        writeGetters(current);
        writeCore(current);
        writeIncludes(current);
        writeCompat(
                current,
                releases.stream()
                        .filter(release -> release.kind() == Kind.WORK_QUEUES)
                        .findFirst()
                        .orElseThrow());
    }

    // The description

    private static List<Part> read(Path file) throws IOException {
        String header = file.getFileName().toString();
        List<String> lines = Files.readAllLines(file);
        String library = "common";
        Version first = Version.of("1.0");
        Version last = null;
        for (String line : lines) {
            Matcher mark = HEADER_MARK.matcher(line);
            if (mark.matches()) {
                library = mark.group(1);
                first = Version.of(mark.group(2));
                last = mark.group(3) == null ? null : Version.of(mark.group(3));
            }
        }
        List<Part> parts = new ArrayList<>();
        List<Part> conditions = new ArrayList<>();
        int nesting = 0;
        List<Integer> conditionNesting = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            Matcher condition = CONDITION.matcher(line);
            if (condition.matches()) {
                Part limits = new Part();
                Version version = Version.of(condition.group(2));
                limits.from = condition.group(1).isEmpty() ? null : version;
                limits.until = condition.group(1).isEmpty() ? version : null;
                conditions.add(limits);
                conditionNesting.add(++nesting);
                continue;
            }
            boolean isOurs = !conditionNesting.isEmpty() && conditionNesting.getLast() == nesting;
            if (line.startsWith("#if")) {
                nesting++;
            } else if (line.startsWith("#endif")) {
                nesting--;
                if (isOurs) {
                    conditions.removeLast();
                    conditionNesting.removeLast();
                    continue;
                }
            } else if (line.startsWith("#else") && isOurs) {
                Part limits = conditions.getLast();
                Version from = limits.from;
                limits.from = limits.until;
                limits.until = from;
                continue;
            }
            if (HEADER_MARK.matcher(line).matches() || line.equals("#include <api_marks.h>")) {
                continue;
            }
            Part part = new Part();
            part.header = header;
            part.since = first;
            part.until = last;
            for (Part limits : conditions) {
                part.from = limits.from == null ? part.from : limits.from;
                part.until = limits.until == null ? part.until : limits.until;
            }
            part.lines.add(readMarks(line, part));
            Matcher start = FUNCTION_START.matcher(part.lines.getFirst());
            if (start.matches()) {
                StringBuilder text = new StringBuilder();
                do {
                    line = lines.get(++i);
                    part.lines.add(line);
                    text.append(' ').append(line.strip());
                } while (!line.endsWith(";"));
                Matcher declaration = DECLARATION.matcher(
                        text.substring(1).replaceAll("\\s+", " ").replace("( ", "("));
                if (!declaration.matches()) {
                    throw new IllegalArgumentException(file + ": no declaration of a function: " + text);
                }
                part.function = new Function(
                        library,
                        declaration.group(2),
                        declaration.group(1).strip(),
                        declaration.group(3),
                        start.group(2).toLowerCase());
            }
            parts.add(part);
        }
        return parts;
    }

    /** Applies the marks of a line to a part, and returns the line without them. */
    private static String readMarks(String line, Part part) {
        Matcher marks = MARK.matcher(line);
        while (marks.find()) {
            String value = marks.group(2);
            switch (marks.group(1)) {
                case "SINCE" -> part.since = Version.of(value);
                case "UNTIL" -> part.lackedSince = Version.of(value);
                case "WAS" -> part.formerName = value;
                case "COMPAT" -> part.translated = value;
                case "UNSUPPORTED" -> part.isUnsupported = true;
                case "GETS", "COPIES" -> {
                    part.property = value;
                    part.isArray = marks.group(1).equals("COPIES");
                }
                default -> {
                    String[] values = value.split(", ");
                    part.sameAs = values[0];
                    part.sameSince = values.length == 1 ? part.since : Version.of(values[1]);
                }
            }
        }
        return marks.reset().replaceAll("").stripTrailing();
    }

    /** Returns the headers of a release, also those of the other folder that its own one lacks. */
    private Map<String, List<Part>> description(Release release) {
        Map<String, List<Part>> own = descriptions.get(release.description());
        if (release.isCurrent()) {
            return own;
        }
        Map<String, List<Part>> all = new TreeMap<>();
        descriptions.values().forEach(all::putAll);
        all.putAll(own);
        return all;
    }

    private boolean isFromOtherFolder(Release release, Part part) {
        return !descriptions.get(release.description()).containsKey(part.header);
    }

    private Stream<Part> functions(Release release) {
        return description(release).values().stream().flatMap(List::stream).filter(part -> part.function != null);
    }

    /** Returns the functions of a release, ordered by library and name. */
    private List<Entry> entries(Release release) {
        return functions(release)
                .filter(part -> part.name(release) != null)
                .map(part -> new Entry(part, part.function, part.name(release), target(release, part)))
                .sorted(Comparator.comparing(Entry::library).thenComparing(Entry::name))
                .toList();
    }

    /** Returns the current function that has the same parameters, or {@code -}. */
    private String target(Release release, Part part) {
        if (part.sameAs != null && release.has(part.sameSince, null)) {
            return part.sameAs;
        }
        boolean isCurrent = release.kind() != Kind.WORK_QUEUES
                && part.until == null
                && part.lackedSince == null
                && !isFromOtherFolder(release, part);
        return isCurrent ? part.function.name() : "-";
    }

    // Headers

    private void writeHeaders(Release release) throws IOException {
        Path include = output.resolve(release.name()).resolve("include");
        Map<String, String> headers = headers(release);
        for (Map.Entry<String, String> header : headers.entrySet()) {
            write(include.resolve(header.getKey()), header.getValue());
        }
        try (Stream<Path> files = Files.list(include)) {
            for (Path file : files.toList()) {
                if (!headers.containsKey(file.getFileName().toString())) {
                    Files.delete(file);
                }
            }
        }
    }

    /** Returns the headers of a release, without the types that only functions of other releases use. */
    private Map<String, String> headers(Release release) {
        Map<String, List<String>> headers = new TreeMap<>();
        Map<String, Map<String, Integer>> described = new HashMap<>();
        description(release).forEach((name, parts) -> {
            List<String> lines =
                    parts.stream().flatMap(part -> part.lines(release).stream()).toList();
            if (!lines.isEmpty()) {
                headers.put(name, lines);
                described.put(name, countWords(parts.stream().flatMap(part -> part.lines.stream())));
            }
        });
        boolean isAgain = true;
        while (isAgain) {
            isAgain = false;
            Map<String, Integer> uses = countWords(headers.values().stream().flatMap(List::stream));
            for (Map.Entry<String, List<String>> header : headers.entrySet()) {
                Map<String, Integer> ownUses = countWords(header.getValue().stream());
                Map<String, Integer> describedUses = described.get(header.getKey());
                Predicate<String> isUnused = line -> {
                    Matcher type = TYPE.matcher(line);
                    if (!type.matches()) {
                        return false;
                    }
                    // Each header declares the structures that it uses, but only one has a typedef.
                    String name = type.group(1) == null ? type.group(2) : type.group(1);
                    Map<String, Integer> relevant = type.group(1) == null ? uses : ownUses;
                    return relevant.get(name) == 1 && describedUses.get(name) > 1;
                };
                List<String> used =
                        header.getValue().stream().filter(isUnused.negate()).toList();
                isAgain |= used.size() < header.getValue().size();
                header.setValue(used);
            }
        }
        Map<String, String> texts = new TreeMap<>();
        headers.forEach(
                (name, lines) -> texts.put(name, String.join("\n", lines).replaceAll("\n{3,}", "\n\n") + "\n"));
        if (!release.isCurrent()) {
            texts.computeIfPresent("doca_version.h", (name, text) -> versioned(text, release.build()));
        }
        return texts;
    }

    /** Gives the macros of a version the values of a build, such as 3.0.0058. */
    private static String versioned(String text, String build) {
        int[] numbers =
                Arrays.stream(build.split("\\.")).mapToInt(Integer::parseInt).toArray();
        int base = numbers[0] << 24 | numbers[1] << 16;
        return VERSION.matcher(text)
                .replaceAll(macro -> macro.group(1)
                        + switch (macro.group(2)) {
                            case "MAJOR" -> numbers[0];
                            case "MINOR" -> numbers[1];
                            case "PATCH" -> numbers[2];
                            case "EXACT" -> base + numbers[2];
                            case "OFFICIAL" -> base + numbers[2] * 1000;
                            default -> "\"" + build + "\"";
                        });
    }

    private static Map<String, Integer> countWords(Stream<String> lines) {
        Map<String, Integer> uses = new HashMap<>();
        lines.forEach(line -> WORD.matcher(line).results().forEach(word -> uses.merge(word.group(), 1, Integer::sum)));
        return uses;
    }

    // Tables

    private void writeSymbols(List<Entry> entries) throws IOException {
        StringBuilder table =
                new StringBuilder("# library	function	first release that has it with this signature	stability	"
                        + "first release that had it with another signature	name with the same signature in releases before	"
                        + "first known release that lacks it again\n");
        for (Entry entry : entries) {
            Part part = entry.part();
            List<String> columns = Stream.of(
                            entry.library(),
                            entry.name(),
                            part.since,
                            entry.function().stability(),
                            otherSince(part).map(Version::toString).orElse(""),
                            part.formerName == null ? "" : part.formerName,
                            part.lackedSince == null ? "" : part.lackedSince)
                    .map(Object::toString)
                    .toList();
            table.append(String.join("\t", columns).stripTrailing()).append('\n');
        }
        write(output.resolve("resources/io/docajava/ffi/symbols.tsv"), table.toString());
    }

    /** Returns the first release that has the function with parameters that are passed in another way. */
    private Optional<Version> otherSince(Part part) {
        return functions(releases.getFirst())
                .filter(other -> other.until != null && other.since.compareTo(part.since) < 0)
                .filter(other -> other.function.name().equals(part.function.name()))
                .map(other -> other.since)
                .min(Comparator.naturalOrder());
    }

    private void writeFunctions(Release release, List<Entry> entries) throws IOException {
        String table = entries.stream()
                .filter(entry -> isExported(release, entry))
                .map(entry -> String.join(
                        "\t",
                        entry.library(),
                        entry.name(),
                        entry.target(),
                        entry.function().stability()))
                .collect(Collectors.joining("\n", "", "\n"));
        write(output.resolve(release.name()).resolve("functions.tsv"), table);
    }

    private static boolean isExported(Release release, Entry entry) {
        return !release.isCurrent() || entry.part().lackedSince == null;
    }

    private void writeSdkFunctions(Release release, List<Entry> entries) throws IOException {
        StringBuilder header = new StringBuilder("#ifndef SDK_FUNCTIONS_H_\n#define SDK_FUNCTIONS_H_\n\n");
        StringBuilder source = new StringBuilder(includes(release)).append("\n#include \"sdk.h\"\n\n");
        StringBuilder table = new StringBuilder();
        header.append(includes(release)).append('\n');
        for (Entry entry : entries) {
            String name = entry.name();
            // A function that once had another signature must not be called on an older release.
            Version since = entry.part().since;
            boolean hadOther = release.isCurrent() && otherSince(entry.part()).isPresent();
            int number = hadOther ? since.major() * 100 + since.minor() : 0;
            header.append("extern __typeof__(%1$s) *sdk_%1$s;\n#define %1$s sdk_%1$s\n".formatted(name));
            source.append("""
                    static void missing_%1$s(void) { sdk_missing("%1$s"); }
                    __typeof__(%1$s) *sdk_%1$s = (__typeof__(%1$s) *)missing_%1$s;
                    """.formatted(name));
            table.append("    {\"%1$s\", \"%2$s\", &sdk_%2$s, %3$d},\n".formatted(entry.library(), name, number));
        }
        header.append("\n#endif\n");
        source.append("\nconst struct sdk_function sdk_functions[] = {\n")
                .append(table)
                .append("    {0}\n};\n");
        Path folder = output.resolve(release.name()).resolve("conformance");
        write(folder.resolve("sdk_functions.h"), header.toString());
        write(folder.resolve("sdk_functions.c"), source.toString());
    }

    // The emulator's libraries

    private String includes(Release release) throws IOException {
        try (Stream<Path> files = Files.list(output.resolve(release.name()).resolve("include"))) {
            return files.map(file -> "#include <" + file.getFileName() + ">\n")
                    .sorted()
                    .collect(Collectors.joining());
        }
    }

    /**
     * Stable functions are in the node DOCA_2 and the others in EXPERIMENTAL, as in the SDK. Functions that the emulator's libraries
     * share have a private node, which differs for each release, so that a library never binds to a library of another release.
     */
    private void writeVersionScript(Release release, String library, List<Entry> entries) throws IOException {
        StringBuilder script = new StringBuilder();
        for (String stability : List.of("stable", "experimental")) {
            List<String> names = entries.stream()
                    .filter(entry -> entry.library().equals(library) && isExported(release, entry))
                    .filter(entry -> entry.function().stability().equals(stability))
                    .map(Entry::name)
                    .toList();
            if (!names.isEmpty()) {
                script.append("%s {\n  global:\n    %s;\n};\n"
                        .formatted(
                                stability.equals("stable") ? "DOCA_2" : "EXPERIMENTAL", String.join(";\n    ", names)));
            }
        }
        script.append(
                "DOCA_EMULATOR_%s {\n  global:\n    doca_emulator_*;\n  local:\n    *;\n};\n".formatted(release.tag()));
        write(output.resolve(release.name()).resolve(library + ".map"), script.toString());
    }

    /**
     * The renames are included before all sources of the library. They give each function that returns a doca_error_t another name in
     * the symbol table, including called functions of other libraries. The entries are functions with the real names, which either
     * fail or call the renamed ones. Functions with variable arguments cannot be forwarded, so they cannot fail.
     */
    private void writeEntryPoints(Release release, String library, List<Entry> entries) throws IOException {
        boolean isFront = release.kind() == Kind.FRONT;
        StringBuilder renames = new StringBuilder();
        StringBuilder source = new StringBuilder(includes(release)).append("\n#include \"faults/entry_point.h\"\n\n");
        for (Entry entry : entries) {
            Function function = entry.function();
            String name = entry.name();
            boolean isRenamed = isFront && !entry.target().equals(name);
            if (function.isVariadic() || !isExported(release, entry)) {
                continue;
            }
            if (entry.part().isUnsupported) {
                if (entry.library().equals(library)) {
                    source.append(
                            function.isResult()
                                    ? "UNSUPPORTED(%s, (%s))\n".formatted(name, function.parameters())
                                    : function.type().equals("void")
                                            ? "void %s(%s) {}\n".formatted(name, function.parameters())
                                            : "%1$s %2$s(%3$s) { return (%1$s){0}; }\n"
                                                    .formatted(function.type(), name, function.parameters()));
                }
                continue;
            }
            if (!function.isResult() && !isRenamed) {
                continue;
            }
            String target = "doca_emulator_" + name;
            if (isFront) {
                boolean isOwn = entry.target().equals("-");
                target = isOwn
                        ? "doca_emulator_" + (isFromOtherFolder(release, entry.part()) ? "" : release.tag() + "_")
                                + name
                        : function.isResult() ? "doca_emulator_" + entry.target() : entry.target();
            }
            renames.append("#pragma redefine_extname %1$s doca_emulator_%1$s\n".formatted(name));
            if (!entry.library().equals(library)) {
                continue;
            }
            if (function.isResult()) {
                source.append("%s(%s, %s, (%s), (%s))\n"
                        .formatted(
                                FAST.matcher(name).matches() ? "FAST_ENTRY_POINT" : "ENTRY_POINT",
                                name,
                                target,
                                function.parameters(),
                                function.arguments()));
            } else {
                source.append("%1$s %2$s(%3$s);\n%1$s %4$s(%3$s) {\n    return %2$s(%5$s);\n}\n"
                        .formatted(function.type(), target, function.parameters(), name, function.arguments()));
            }
        }
        Path folder = output.resolve(release.name());
        write(folder.resolve(library + "_renames.h"), renames.toString());
        write(folder.resolve(library + "_entries.c"), source.toString());
    }

    /** The compiler checks that the parameters of both functions are the same. */
    private void writeForwards(Release release, String library, List<Entry> entries, List<Entry> core)
            throws IOException {
        Map<String, String> headers =
                core.stream().collect(Collectors.toMap(Entry::name, entry -> entry.part().header));
        Set<String> coreIncludes = new TreeSet<>();
        StringBuilder forwards = new StringBuilder();
        for (Entry entry : entries) {
            if (entry.library().equals(library) && !entry.target().equals("-")) {
                Function function = entry.function();
                String header = headers.get(entry.target());
                if (header == null) {
                    throw new IllegalArgumentException(
                            entry.name() + " is like " + entry.target() + ", which does not exist");
                }
                coreIncludes.add("#include <" + coreName(header) + ">\n");
                forwards.append("\n%s\n%s(%s) {\n    return %s(%s);\n}\n"
                        .formatted(
                                function.type(),
                                entry.name(),
                                function.parameters(),
                                coreName(entry.target()),
                                function.arguments()));
            }
        }
        write(
                output.resolve(release.name()).resolve(library + "_forwards.c"),
                includes(release) + String.join("", coreIncludes) + forwards);
    }

    /** The source of each kind of object includes the functions that read its properties. */
    private void writeGetters(Release current) throws IOException {
        Map<String, StringBuilder> getters = new TreeMap<>();
        for (Entry entry : entries(current)) {
            Function function = entry.function();
            Part part = entry.part();
            if (part.property != null) {
                String kind = function.parameters().replaceFirst(".*?struct doca_(\\w+) .*", "$1");
                String[] handleAndOthers = function.arguments().split(", ", 2);
                getters.computeIfAbsent(kind, name -> new StringBuilder())
                        .append("\n%s\n%s(%s) {\n    return %s(%s_class, %s, %s, %s);\n}\n"
                                .formatted(
                                        function.type(),
                                        entry.name(),
                                        function.parameters(),
                                        part.isArray ? "COPY_PROPERTY" : "GET_PROPERTY",
                                        kind,
                                        handleAndOthers[0],
                                        part.property,
                                        handleAndOthers[1]));
            }
        }
        for (Map.Entry<String, StringBuilder> kind : getters.entrySet()) {
            write(
                    output.resolve("current/getters/" + kind.getKey() + ".h"),
                    kind.getValue().toString());
        }
    }

    // The core

    /** Handle types of programs that exist in both ABIs, and equal types, keep their names. */
    private static final Pattern SAME_TAG = Pattern.compile(
            "(struct|union|enum) core_(data|mmap|buf|buf_arr|buf_inventory|dev|dev_rep"
                    + "|devinfo|devinfo_rep|dpa|gpu|gpu_buf_arr|graph|graph_instance|graph_node|mtu_size|pci_func_type|rdma_gid)\\b");

    /**
     * The headers by which the sources of an older release call the emulator's core.
     *
     * <p>The libraries of an older release contain a copy of the core. Its functions have the same names as theirs, but partly other
     * parameters. So in those libraries doca_pe_create() of the core has the symbol doca_emulator_core_pe_create. core_renames.txt gives
     * that symbol to the objects of the current libraries, after core_entries.txt has removed the names behind entry points. Sources
     * of the older release include core_names.h, which assigns that symbol to core_pe_create(), and then these headers, where the
     * prefix doca_ is replaced by core_. front_names.h assigns the symbols of the objects themselves, for such sources in a front.
     */
    private void writeCore(Release current) throws IOException {
        Path folder = output.resolve("core");
        StringBuilder entries = new StringBuilder();
        StringBuilder renames = new StringBuilder();
        StringBuilder names = new StringBuilder();
        StringBuilder frontNames = new StringBuilder();
        for (Entry entry : entries(current)) {
            String name = entry.name();
            frontNames.append("#pragma redefine_extname %s %s%s\n"
                    .formatted(coreName(name), entry.function().isResult() ? "doca_emulator_" : "", name));
            renames.append("%s doca_emulator_%s\n".formatted(name, coreName(name)));
            entries.append("doca_emulator_%1$s %1$s\n".formatted(name));
            names.append("#pragma redefine_extname %1$s doca_emulator_%1$s\n".formatted(coreName(name)));
        }
        write(folder.resolve("core_entries.txt"), entries.toString());
        write(folder.resolve("core_renames.txt"), renames.toString());
        write(folder.resolve("core_names.h"), names.toString());
        write(folder.resolve("front_names.h"), frontNames.toString());
        for (Map.Entry<String, String> header : headers(current).entrySet()) {
            String name = header.getKey();
            write(folder.resolve("include").resolve(coreName(name)), coreHeader(name, header.getValue()));
        }
    }

    private static String coreHeader(String name, String header) {
        String text =
                header.replaceAll("(?<![A-Za-z0-9_])doca_", "core_").replaceAll("(?<![A-Za-z0-9_])DOCA_", "CORE_");
        if (!name.matches("doca_(types|error)\\.h")) {
            text = SAME_TAG.matcher(text).replaceAll("$1 doca_$2");
            text = text.replaceAll("\\bcore_(error_t|mmap_memrange_free_cb_t)\\b", "doca_$1")
                    .replace("struct core_buf_pool", "struct doca_bufpool")
                    .replace("struct core_log_backend", "struct doca_logger_backend")
                    .replaceAll("(#include <)core_(error|types)(\\.h>\n)", "$1core_$2$3$1doca_$2$3")
                    // Types that the other release defines itself.
                    .replaceAll("struct doca_rdma_gid \\{[^}]*};\n", "")
                    .replaceAll("typedef [^\n]*(doca_mmap_memrange_free_cb_t)[^\n]*\n", "");
        }
        if (name.matches("doca_(mmap|rdma)\\.h")) {
            text = text.replace("#include <core_error.h>", "#include <" + name + ">\n#include <core_error.h>");
        }
        return text;
    }

    private static String coreName(String name) {
        return name.replaceFirst("^doca_", "core_");
    }

    // jextract

    private static final Pattern CONSTANT =
            Pattern.compile("    (DOCA_\\w+) = .*|#define (\\w+) (?:-?\\d|\"|\\(-\\d).*");
    private static final Pattern CALLBACK = Pattern.compile("typedef .*?\\(\\*?(\\w+)\\)\\(.*\\);");
    /** An aggregate, or a member that is a structure of the system. */
    private static final Pattern AGGREGATE =
            Pattern.compile("(struct|union) (\\w+) \\{|    struct (?!doca_)(\\w+) \\w+;");

    /** The functions, callbacks, constants and structures for which scripts/generate-bindings makes Java. */
    private void writeIncludes(Release current) throws IOException {
        Map<String, Set<String>> includes = new TreeMap<>();
        Map<String, String> libraries = new HashMap<>();
        for (Entry entry : entries(current)) {
            libraries.put(entry.part().header, entry.library());
            includes.computeIfAbsent(entry.library(), library -> new TreeSet<>(Set.of("--include-union doca_data")))
                    .add("--include-function " + entry.name());
        }
        for (Map.Entry<String, String> header : headers(current).entrySet()) {
            Set<String> included = includes.get(libraries.getOrDefault(header.getKey(), "common"));
            if (header.getKey().equals("doca_build_config.h")) {
                continue;
            }
            for (String line : header.getValue().lines().toList()) {
                Matcher constant = CONSTANT.matcher(line);
                Matcher callback = CALLBACK.matcher(line);
                Matcher aggregate = AGGREGATE.matcher(line);
                // Only the log macros of C use that priority.
                if (constant.matches() && !line.contains("DOCA_LOG_REGISTER_PRIORITY")) {
                    included.add("--include-constant "
                            + (constant.group(1) == null ? constant.group(2) : constant.group(1)));
                } else if (callback.matches()) {
                    included.add("--include-typedef " + callback.group(1));
                } else if (aggregate.matches()) {
                    included.add(
                            aggregate.group(1) == null
                                    ? "--include-struct " + aggregate.group(3)
                                    : "--include-" + aggregate.group(1) + " " + aggregate.group(2));
                }
            }
        }
        for (Map.Entry<String, Set<String>> library : includes.entrySet()) {
            write(
                    output.resolve("jextract/" + library.getKey() + ".includes"),
                    String.join("\n", library.getValue()) + "\n");
        }
    }

    // doca-compat

    /** Objects that doca-compat does not pass through. They have other names there, because the current headers declare these, too. */
    private static final Pattern OLD_TAG =
            Pattern.compile("struct doca_(bufpool|ctx|dma|event|job|logger_backend|rdma|sync_event|workq)\\b");

    private void writeCompat(Release current, Release old) throws IOException {
        Map<String, Function> currentFunctions =
                entries(current).stream().collect(Collectors.toMap(Entry::name, Entry::function));
        Map<String, StringBuilder> lists = new TreeMap<>();
        StringBuilder forwards = new StringBuilder(includes(current)).append("\n#include \"old_sdk.h\"\n");
        for (Entry entry : entries(old)) {
            Part part = entry.part();
            Function function = entry.function();
            if (part.translated == null) {
                continue;
            }
            boolean isPart = !function.library().equals("common")
                    || part.header.matches("doca_(bufpool|log|rdma_bridge|sync_event|version)\\.h");
            String list = isPart ? part.header.replaceAll("doca_|\\.h", "").toUpperCase() : "COMMON";
            lists.computeIfAbsent(list, name -> new StringBuilder("\n#define OLD_" + name + "_FUNCTIONS(F)"))
                    .append(" \\\n    F(%s, %s, (%s))"
                            .formatted(oldTypes(function.type()), entry.name(), oldTypes(function.parameters())));
            if (!part.translated.isEmpty()) {
                Function translated = currentFunctions.get(part.translated);
                forwards.append("\n%s\n%s(%s) {\n    return old.%s(%s);\n}\n"
                        .formatted(
                                translated.type(),
                                translated.name(),
                                translated.parameters(),
                                entry.name(),
                                passed(translated, function)));
            }
        }
        StringBuilder header = new StringBuilder();
        lists.values().forEach(list -> header.append(list).append('\n'));
        write(output.resolve("compat/old_sdk_functions.h"), header.toString());
        write(output.resolve("compat/forwards.c"), forwards.toString());
    }

    private static String oldTypes(String text) {
        return OLD_TAG.matcher(text)
                .replaceAll("struct old_$1")
                .replaceAll("enum doca_\\w+_job_types", "int")
                .replaceAll("enum doca_rdma_(transport_type|state)\\b", "uint32_t");
    }

    /** Returns the arguments of a call of one function by another one. Older functions lack some {@code const}. */
    private static String passed(Function caller, Function called) {
        List<String> arguments = new ArrayList<>();
        String[] have = caller.parameters().split(", ");
        String[] want = called.parameters().split(", ");
        for (int i = 0; i < have.length && !caller.parameters().equals("void"); i++) {
            String name = have[i].replaceFirst(".*?(\\w+)$", "$1");
            boolean isConst = have[i].startsWith("const ") && !want[i].startsWith("const ");
            arguments.add(isConst ? "(" + want[i].replaceFirst("\\w+$", "") + ")" + name : name);
        }
        return String.join(", ", arguments);
    }

    // Files

    private static void write(Path file, String content) throws IOException {
        if (Files.isRegularFile(file) && Files.readString(file).equals(content)) {
            return;
        }
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }
}
