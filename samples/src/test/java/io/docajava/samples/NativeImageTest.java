/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares the metadata that GraalVM's {@code native-image} reads from the jars with the code that creates the handles.
 * {@code -Ddoca.docs.write=true} rewrites the metadata.
 */
class NativeImageTest {

    private static final Path ROOT = Path.of("..");
    private static final List<String> MODULES =
            List.of("doca-ffi", "doca-compat", "doca-emulator", "doca-core", "doca-dma", "doca-rdma", "doca-comch");

    /** The C types of the layouts in the code, as GraalVM writes them. */
    private static final Map<String, String> TYPES = Map.of(
            "JAVA_BYTE", "char",
            "C_CHAR", "char",
            "C_SHORT", "short",
            "JAVA_INT", "int",
            "C_INT", "int",
            "JAVA_LONG", "long",
            "C_LONG", "long",
            "ADDRESS", "void*",
            "C_POINTER", "void*",
            "doca_data.layout()", "union(void*, long)");

    /** The layouts of parameters that a method passes on. */
    private static final Pattern HANDED_ON = Pattern.compile("parameters|result, parameters");

    /** A descriptor, and the call whose argument it is. */
    private static final Pattern DESCRIPTOR = Pattern.compile(
            "(?:([\\w.]+)\\(\\s*(?:[\\w.]+,\\s*)?(?:\"\\w+\",\\s*)?)?FunctionDescriptor\\s*\\.(of|ofVoid)\\("
                    + "((?:[^()]|\\(\\))*)\\)");

    /** A hot function, whose layouts are in the call of {@code HotFunctions}. */
    private static final Pattern HOT = Pattern.compile("\\.(bind|bindVoid)\\(\\s*\"\\w+\"((?:,\\s*\\w+)*)\\)");

    /** The layouts at the end of a call of a {@code stub} method, which creates an upcall without a result. */
    private static final Pattern STUB =
            Pattern.compile("\\bstub\\((?!String|MethodHandle)[^;]*?((?:,\\s*JAVA_\\w+)+)\\)");

    private static final Pattern LOOKUP =
            Pattern.compile("ookup\\(\\)\\s*\\.find(Virtual|Static|VarHandle)\\(\\s*(\\w+)\\.class");

    /** A nested class that picocli instantiates. */
    private static final Pattern CONVERTER =
            Pattern.compile("\\n    static final class (\\w+) implements ITypeConverter");

    private static final String CRITICAL = ", \"options\": {\"critical\": {\"allowHeapAccess\": false}}";
    private static final String CAPTURING = ", \"options\": {\"captureCallState\": true}";

    @Test
    void metadataOfTheLibraryIsThatOfItsHandles() throws IOException {
        check("doca-ffi", ofLibrary());
    }

    @Test
    void metadataNamesTheClassesOfSamplesThatPicocliAndLogbackReach() throws IOException {
        TreeSet<String> reflection = new TreeSet<>();
        for (Path file : sources(Path.of("src"))) {
            String source = Files.readString(file);
            if (source.contains("import picocli.")) {
                reflection.add(reached(typeOf(file)));
                CONVERTER
                        .matcher(source)
                        .results()
                        .forEach(type -> reflection.add(reached(typeOf(file) + "$" + type.group(1))));
            }
        }
        Matcher logback = Pattern.compile("class=\"([\\w.]+)\"")
                .matcher(Files.readString(Path.of("src", "main", "resources", "logback.xml")));
        logback.results().forEach(type -> reflection.add(reached(type.group(1))));
        reflection.add(reached("ch.qos.logback.classic.Level"));
        assertThat(reflection).contains(reached(DmaLocalCopy.class.getName()));
        check(
                "samples",
                metadata(
                        reflection,
                        List.of("io/docajava/samples/cli/version.properties", "logback.xml"),
                        List.of(),
                        List.of()));
    }

    /** Every handle of a run is a line of the metadata, so the test above has found all descriptors. */
    @ParameterizedTest
    @ValueSource(strings = {"native", "upcall"})
    @Timeout(600)
    void coversTheHandlesOfRuns(String completions) throws Exception {
        SampleProcess.Result run = SampleProcess.onEmulator()
                .withJvmFlags(
                        "-Ddoca.completions=" + completions,
                        "--add-opens=java.base/jdk.internal.foreign.abi=io.docajava.samples")
                .runLinking("dma_local_copy", "pe_event", "graph", "doctor");
        assertThat(run.exitCode()).as("%s", run.err()).isZero();
        String[] metadata = ofLibrary().split("\"upcalls\"", 2);
        assertThat(metadata[0]).contains(linked(run, LinkedHandles.DOWNCALL, 20));
        assertThat(metadata[1]).contains(linked(run, LinkedHandles.UPCALL, completions.equals("upcall") ? 2 : 1));
    }

    private static List<String> linked(SampleProcess.Result run, String mark, int least) {
        List<String> linked = run.out().stream()
                .filter(line -> line.startsWith(mark))
                .map(line -> line.substring(mark.length()))
                .toList();
        assertThat(linked).hasSizeGreaterThanOrEqualTo(least);
        return linked;
    }

    private static String ofLibrary() throws IOException {
        TreeSet<String> reflection = new TreeSet<>();
        TreeSet<String> downcalls = new TreeSet<>();
        TreeSet<String> upcalls = new TreeSet<>();
        for (String module : MODULES) {
            for (Path file : sources(ROOT.resolve(module).resolve("src"))) {
                String source = Files.readString(file);
                addCalls(file, source, downcalls, upcalls);
                LOOKUP.matcher(source).results().forEach(lookup -> reflection.add(accessed(source, lookup)));
            }
        }
        List<String> resources = List.of("META-INF/native/**", "io/docajava/ffi/symbols.tsv");
        return metadata(reflection, resources, downcalls, upcalls);
    }

    private static void addCalls(Path file, String source, Collection<String> downcalls, Collection<String> upcalls) {
        boolean capturing = source.contains("Linker.Option.captureCallState(");
        DESCRIPTOR.matcher(source).results().forEach(descriptor -> {
            String layouts = descriptor.group(3).strip();
            if (HANDED_ON.matcher(layouts).matches()) {
                return;
            }
            String caller = descriptor.group(1) == null ? "" : descriptor.group(1);
            boolean isOfCallback = source.contains("private static final FunctionDescriptor $DESC");
            int statement = source.lastIndexOf(';', descriptor.start());
            boolean isUpcall =
                    source.substring(statement + 1, descriptor.start(2)).contains(".upcallStub(");
            String options =
                    caller.endsWith("shortDowncall") ? CRITICAL : capturing && caller.equals("bind") ? CAPTURING : "";
            String call = call(file, descriptor.group(2).equals("ofVoid"), layouts, options);
            if (isUpcall || isOfCallback) {
                upcalls.add(call);
            }
            if (!isUpcall) {
                downcalls.add(call);
            }
        });
        if (source.contains("HotFunctions(")) {
            HOT.matcher(source)
                    .results()
                    .forEach(hot -> downcalls.add(call(
                            file, hot.group(1).equals("bindVoid"), hot.group(2).replaceFirst("^,\\s*", ""), "")));
        }
        if (source.contains(".upcallStub(")) {
            STUB.matcher(source)
                    .results()
                    .forEach(stub -> upcalls.add(call(file, true, stub.group(1).replaceFirst("^,\\s*", ""), "")));
        }
    }

    private static String call(Path file, boolean isVoid, String layouts, String options) {
        List<String> types = new ArrayList<>();
        for (String layout : layouts.isEmpty() ? new String[0] : layouts.split(",\\s*")) {
            String type = TYPES.get(layout.strip().replaceFirst("^(Doca\\w+|ValueLayout)\\.", ""));
            assertThat(type)
                    .as("the C type of the layout %s in %s", layout, file)
                    .isNotNull();
            types.add(type);
        }
        return isVoid
                ? LinkedHandles.entry("void", types, options)
                : LinkedHandles.entry(types.getFirst(), types.subList(1, types.size()), options);
    }

    private static String accessed(String source, MatchResult lookup) {
        String simple = lookup.group(2);
        Matcher imported = Pattern.compile("import ([\\w.]+\\." + simple + ");").matcher(source);
        Matcher own = Pattern.compile("package ([\\w.]+);").matcher(source);
        assertThat(own.find()).isTrue();
        String type = imported.find() ? imported.group(1) : own.group(1) + "." + simple;
        return "{\"type\": \"" + type + "\", \"allDeclared"
                + (lookup.group(1).equals("VarHandle") ? "Fields" : "Methods") + "\": true}";
    }

    private static String reached(String type) {
        return "{\"type\": \"" + type + "\", \"allDeclaredConstructors\": true, \"allDeclaredFields\": true, "
                + "\"allDeclaredMethods\": true, \"allPublicMethods\": true}";
    }

    private static String metadata(
            Collection<String> reflection,
            List<String> resources,
            Collection<String> downcalls,
            Collection<String> upcalls) {
        String foreign = downcalls.isEmpty()
                ? ""
                : ",\n  \"foreign\": {\n    \"downcalls\": " + array("    ", downcalls) + ",\n    \"upcalls\": "
                        + array("    ", upcalls) + "\n  }";
        return "{\n  \"reflection\": " + array("  ", reflection) + ",\n  \"resources\": "
                + array(
                        "  ",
                        resources.stream()
                                .map(glob -> "{\"glob\": \"" + glob + "\"}")
                                .toList())
                + foreign + "\n}\n";
    }

    private static void check(String module, String metadata) throws IOException {
        String artifact = module.startsWith("doca-") ? module : "doca-" + module;
        Path file = ROOT.resolve(module)
                .resolve("src/main/resources/META-INF/native-image/io.docajava")
                .resolve(artifact)
                .resolve("reachability-metadata.json");
        if (Boolean.getBoolean("doca.docs.write")) {
            Files.createDirectories(file.resolveSibling(""));
            Files.writeString(file, metadata);
        }
        assertThat(file).as("write it anew by -Ddoca.docs.write=true").hasContent(metadata);
    }

    private static String array(String indent, Collection<String> elements) {
        return elements.stream().collect(joining(",\n  " + indent, "[\n  " + indent, "\n" + indent + "]"));
    }

    private static String typeOf(Path file) {
        String path = file.toString();
        return path.substring(path.indexOf("io/docajava"), path.length() - ".java".length())
                .replace('/', '.');
    }

    private static List<Path> sources(Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        for (String part : List.of("generated", "main")) {
            Path java = folder.resolve(part).resolve("java");
            if (Files.isDirectory(java)) {
                try (Stream<Path> found = Files.walk(java)) {
                    found.filter(file -> file.toString().endsWith(".java"))
                            .sorted()
                            .forEach(files::add);
                }
            }
        }
        return files;
    }
}
