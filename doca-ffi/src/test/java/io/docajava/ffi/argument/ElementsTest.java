/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.argument;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests what {@code NullArgumentsTest} of samples does not: places and copies. */
class ElementsTest {

    @Test
    void nullsAreNamedByTheirPlaces() {
        assertThatNullPointerException()
                .isThrownBy(() -> Elements.copy(new String[] {"a", "b", null}, "names"))
                .withMessage("names[2] is null");
        assertThatNullPointerException()
                .isThrownBy(() -> Elements.copy(Arrays.asList("a", null, "c", null), "names"))
                .withMessage("names[1] is null");
        assertThatNullPointerException()
                .isThrownBy(() -> Elements.copyOfSet(new LinkedHashSet<>(Arrays.asList("a", "b", null)), "names"))
                .withMessage("names[2] is null");
    }

    @Test
    void nullsInMapsAreNamedByTheirKeys() {
        Map<String, String> map = new HashMap<>();
        map.put("a", "1");
        map.put("b", null);
        assertThatNullPointerException()
                .isThrownBy(() -> Elements.copyOfMap(map, "facts"))
                .withMessage("facts[b] is null");
        map.remove("b");
        map.put(null, "2");
        assertThatNullPointerException()
                .isThrownBy(() -> Elements.copyOfMap(map, "facts"))
                .withMessage("facts has a null key");
    }

    @Test
    void copiesKeepTheirElementsAndCannotBeChanged() {
        String[] array = {"a", "b"};
        List<String> list = new ArrayList<>(List.of("c", "d"));
        Set<String> set = new HashSet<>(Set.of("e", "f"));
        Map<String, Integer> map = new LinkedHashMap<>();
        map.put("z", 1);
        map.put("y", 2);
        List<String> ofArray = Elements.copy(array, "array");
        List<String> ofList = Elements.copy(list, "list");
        Set<String> ofSet = Elements.copyOfSet(set, "set");
        Map<String, Integer> ofMap = Elements.copyOfMap(map, "map");
        array[0] = "x";
        list.clear();
        set.clear();
        map.clear();
        assertThat(ofArray).containsExactly("a", "b");
        assertThat(ofList).containsExactly("c", "d");
        assertThat(ofSet).containsExactlyInAnyOrder("e", "f");
        assertThat(ofMap.keySet()).containsExactly("z", "y");
        assertThatThrownBy(() -> ofArray.add("x")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> ofList.add("x")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> ofSet.add("x")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> ofMap.put("x", 1)).isInstanceOf(UnsupportedOperationException.class);
    }
}
