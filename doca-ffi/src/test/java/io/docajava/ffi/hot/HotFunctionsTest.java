/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.hot;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.ffi.declarations.Bindings;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests that the hand-written declarations differ from the generated ones only in passing pointers as numbers. */
class HotFunctionsTest {

    @Test
    void tasksAreDeclaredAsGenerated() {
        assertDeclaredAsGenerated(TaskCalls.FUNCTIONS, "common");
    }

    @Test
    void bufsAreDeclaredAsGenerated() {
        assertDeclaredAsGenerated(BufCalls.FUNCTIONS, "common");
    }

    @Test
    void dmaIsDeclaredAsGenerated() {
        assertDeclaredAsGenerated(DmaCalls.FUNCTIONS, "dma");
    }

    @Test
    void rdmaIsDeclaredAsGenerated() {
        assertDeclaredAsGenerated(RdmaCalls.FUNCTIONS, "rdma");
    }

    @Test
    void syncEventsAreDeclaredAsGenerated() {
        assertDeclaredAsGenerated(SyncEventCalls.FUNCTIONS, "common");
    }

    private static void assertDeclaredAsGenerated(HotFunctions functions, String library) {
        Map<String, FunctionDescriptor> generated = new Bindings(library).functions();
        Map<String, FunctionDescriptor> expected = new TreeMap<>();
        functions.descriptors().keySet().forEach(function -> expected.put(function, numbers(generated, function)));

        assertThat(functions.descriptors()).isNotEmpty().isEqualTo(expected);
    }

    private static FunctionDescriptor numbers(Map<String, FunctionDescriptor> generated, String function) {
        assertThat(generated).containsKey(function);
        FunctionDescriptor descriptor = generated.getOrDefault(function, FunctionDescriptor.ofVoid());
        MemoryLayout[] parameters = descriptor.argumentLayouts().stream()
                .map(HotFunctionsTest::number)
                .toArray(MemoryLayout[]::new);
        return descriptor
                .returnLayout()
                .map(result -> FunctionDescriptor.of(number(result), parameters))
                .orElseGet(() -> FunctionDescriptor.ofVoid(parameters));
    }

    /** Pointers and {@code union doca_data} are passed like a 64-bit integer. */
    private static MemoryLayout number(MemoryLayout layout) {
        return layout instanceof AddressLayout || layout instanceof GroupLayout ? ValueLayout.JAVA_LONG : layout;
    }
}
