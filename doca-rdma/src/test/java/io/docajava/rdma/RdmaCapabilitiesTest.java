/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.device.DeviceNotFoundException;
import io.docajava.ffi.generated.rdma.DocaRdma;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The emulator offers no RDMA yet, and says so. */
class RdmaCapabilitiesTest {

    @Test
    void theEmulatorOffersNone() {
        List<DeviceInfo> devices = Device.list();
        assertThat(devices).isNotEmpty().noneMatch(RdmaCapabilities::isSupported);
        assertThat(devices)
                .allSatisfy(device ->
                        assertThat(RdmaCapabilities.of(device)).isEqualTo(new RdmaCapabilities(Set.of(), 0, 0, 0, 0)));
    }

    @Test
    void choosesDevices() {
        assertThatThrownBy(() -> Device.open(RdmaCapabilities::isSupported))
                .isInstanceOf(DeviceNotFoundException.class);
    }

    @Test
    void everyOperationHasItsFunction() {
        Set<String> functions = new HashSet<>();
        for (RdmaTaskType task : RdmaTaskType.values()) {
            functions.add(task.function());
        }
        assertThat(functions).hasSize(RdmaTaskType.values().length);
        assertThat(Arrays.stream(DocaRdma.class.getMethods()).map(method -> method.getName()))
                .containsAll(functions);
    }

    @Test
    void keepsItsOwnSet() {
        Set<RdmaTaskType> tasks = EnumSet.of(RdmaTaskType.SEND, RdmaTaskType.RECEIVE);
        RdmaCapabilities capabilities = new RdmaCapabilities(tasks, 1, 2, 3, 4);
        tasks.add(RdmaTaskType.READ);
        assertThat(capabilities.tasks()).containsExactlyInAnyOrder(RdmaTaskType.SEND, RdmaTaskType.RECEIVE);
    }
}
