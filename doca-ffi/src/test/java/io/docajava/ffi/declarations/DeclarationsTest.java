/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.declarations;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.UnionLayout;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares every declaration of the generated classes with what gcc reports for the same headers. */
class DeclarationsTest {

    private static final Map<String, Bindings> BINDINGS =
            Bindings.LIBRARIES.stream().collect(Collectors.toMap(library -> library, Bindings::new));

    @TempDir
    private static Path work;

    private static Headers headers;
    private static Map<String, Headers.Passing> passing;

    @BeforeAll
    static void readHeaders() {
        headers = new Headers(work);
        passing = headers.passing(Stream.of(headers.functions(), headers.callbacks())
                .flatMap(prototypes -> prototypes.values().stream())
                .flatMap(Headers.Prototype::types)
                .filter(type -> !type.equals("void"))
                .distinct()
                .toList());
    }

    @Test
    void everyFunctionOfTheHeadersIsBoundWithItsParametersAndResult() {
        Map<String, String> actual = new TreeMap<>();
        BINDINGS.values()
                .forEach(bindings ->
                        bindings.functions().forEach((name, descriptor) -> actual.put(name, describe(descriptor))));

        assertThat(actual).hasSizeGreaterThan(600).containsExactlyInAnyOrderEntriesOf(describe(headers.functions()));
    }

    @Test
    void everyCallbackTypeIsDeclaredWithItsParametersAndResult() {
        Map<String, String> types = describe(headers.callbacks());
        Map<String, String> expected = new TreeMap<>();
        Map<String, String> actual = new TreeMap<>();
        BINDINGS.forEach((library, bindings) -> bindings.callbacks().forEach((name, descriptor) -> {
            int separator = name.indexOf('$');
            String type = separator < 0
                    ? name
                    : headers.callbackOf(name.substring(0, separator), name.substring(separator + 1));
            assertThat(types).as(name).containsKey(type);
            expected.put(library + " " + name, types.get(type));
            actual.put(library + " " + name, describe(descriptor));
        }));

        assertThat(actual).containsExactlyInAnyOrderEntriesOf(expected);
        assertThat(actual.keySet().stream().map(name -> name.substring(name.indexOf(' ') + 1)))
                .containsAll(types.keySet());
    }

    @Test
    void everyConstantHasTheValueThatItHasInC() {
        SortedMap<String, String> actual = new TreeMap<>();
        BINDINGS.values()
                .forEach(bindings -> bindings.constants().forEach((name, value) -> actual.put(name, print(value))));
        List<String> names = List.copyOf(headers.constants());
        List<String> values = headers.evaluate(names);
        Map<String, String> expected = new HashMap<>();
        for (int i = 0; i < names.size(); i++) {
            expected.put(names.get(i), values.get(i));
        }

        assertThat(actual).hasSizeGreaterThan(100).containsExactlyInAnyOrderEntriesOf(expected);
    }

    @Test
    void everyStructureAndUnionIsLaidOutAsInC() {
        Map<String, String> aggregates = headers.aggregates();
        assertThat(BINDINGS.values().stream()
                        .flatMap(bindings -> bindings.layouts().keySet().stream())
                        .collect(Collectors.toSet()))
                .isEqualTo(aggregates.keySet());
        // One program answers the questions about all declarations.
        List<String> questions = new ArrayList<>();
        List<Long> actual = new ArrayList<>();
        BINDINGS.values()
                .forEach(bindings -> bindings.layouts().forEach((name, layout) -> {
                    String type = aggregates.getOrDefault(name, "");
                    assertThat(layout instanceof UnionLayout).as(name).isEqualTo(type.startsWith("union"));
                    questions.addAll(List.of("sizeof(%s)".formatted(type), "_Alignof(%s)".formatted(type)));
                    actual.addAll(List.of(layout.byteSize(), layout.byteAlignment()));
                    for (MemoryLayout member : ((GroupLayout) layout).memberLayouts()) {
                        if (!(member instanceof PaddingLayout)) {
                            String field = member.name().orElseThrow();
                            questions.add("offsetof(%s, %s)".formatted(type, field));
                            actual.add(layout.byteOffset(MemoryLayout.PathElement.groupElement(field)));
                            questions.add("sizeof(((%s *)0)->%s)".formatted(type, field));
                            actual.add(member.byteSize());
                        }
                    }
                }));
        List<String> expected = headers.evaluate(questions);

        assertThat(zip(questions, actual)).isEqualTo(zip(questions, expected));
    }

    private static List<String> zip(List<String> questions, List<?> answers) {
        assertThat(answers).hasSameSizeAs(questions);
        return IntStream.range(0, questions.size())
                .mapToObj(i -> questions.get(i) + " = " + answers.get(i))
                .toList();
    }

    private static String print(Object constant) {
        return constant instanceof MemorySegment text ? text.getString(0) : constant.toString();
    }

    private static Map<String, String> describe(Map<String, Headers.Prototype> prototypes) {
        Map<String, String> descriptions = new TreeMap<>();
        prototypes.forEach((name, prototype) -> descriptions.put(
                name,
                prototype.parameters().stream().map(DeclarationsTest::describe).toList() + " -> "
                        + describe(prototype.result())));
        return descriptions;
    }

    private static String describe(String type) {
        Headers.Passing facts = passing.get(type);
        return facts == null ? type : facts.kind() + facts.size();
    }

    private static String describe(FunctionDescriptor descriptor) {
        return descriptor.argumentLayouts().stream()
                        .map(DeclarationsTest::describe)
                        .toList() + " -> "
                + descriptor.returnLayout().map(DeclarationsTest::describe).orElse("void");
    }

    private static String describe(MemoryLayout layout) {
        String kind = switch (layout) {
            case AddressLayout pointer -> "pointer";
            case ValueLayout.OfBoolean bool -> "bool";
            case ValueLayout.OfFloat real -> "real";
            case ValueLayout.OfDouble real -> "real";
            case ValueLayout integer -> "integer";
            case GroupLayout aggregate -> "aggregate";
            default -> layout.toString();
        };
        return kind + layout.byteSize();
    }
}
