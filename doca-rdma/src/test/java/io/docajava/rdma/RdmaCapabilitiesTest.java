/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.device.DeviceInfo;
import io.docajava.ffi.generated.rdma.DocaRdma;
import io.docajava.junit.DocaEmulator;
import io.docajava.rdma.internal.Internals;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests the capabilities that the emulated devices report. */
class RdmaCapabilitiesTest {

    @Test
    @DocaEmulator
    @NeedsFunction(NeedsFunction.REMOTE_EVENTS)
    void allDevicesOfferAllOperations() {
        List<DeviceInfo> devices = Device.list();
        assertThat(devices).isNotEmpty().allMatch(RdmaContext::isSupported).allSatisfy(device -> {
            RdmaCapabilities capabilities = RdmaCapabilities.of(device);
            assertThat(capabilities.tasks()).containsExactlyInAnyOrder(RdmaTaskType.values());
            assertThat(capabilities.maxMessageSize()).isEqualTo(1L << 30);
            assertThat(capabilities.maxSendQueueSize()).isEqualTo(32768);
            assertThat(capabilities.maxReceiveQueueSize()).isEqualTo(32768);
            assertThat(capabilities.maxSendListLength()).isEqualTo(30);
            assertThat(capabilities.maxReceiveListLength()).isEqualTo(31);
            assertThat(capabilities.gidTableSize()).isEqualTo(255);
            assertThat(capabilities.transports()).containsExactly(TransportType.RC);
        });
    }

    @Test
    void choosesDevices() {
        try (Device device = Device.open(info -> RdmaContext.isSupported(info, RdmaTaskType.ATOMIC_FETCH_ADD))) {
            assertThat(RdmaCapabilities.isSupported(device.info())).isTrue();
        }
    }

    @Test
    @DocaEmulator
    void readsTheGids() {
        DeviceInfo device;
        try (Device opened = Device.open(DeviceFilter.pciAddress("03:00.0"))) {
            device = opened.info();
        }
        List<RdmaAddress> gids = RdmaCapabilities.gids(device);
        assertThat(gids).hasSize(255).allMatch(gid -> gid.type() == RdmaAddress.Type.GID);
        assertThat(gids.getFirst().text()).startsWith("fe80:");
        assertThat(gids.getLast().text()).isEqualTo("0:0:0:0:0:0:0:0");
    }

    @Test
    void everyOperationHasItsFunction() {
        Set<String> functions = new HashSet<>();
        for (RdmaTaskType task : RdmaTaskType.values()) {
            functions.add(Internals.function(task));
            functions.add(Internals.prefix(task) + "_set_conf");
            functions.add(Internals.prefix(task) + "_allocate_init");
        }
        assertThat(functions).hasSize(3 * RdmaTaskType.values().length);
        assertThat(Arrays.stream(DocaRdma.class.getMethods()).map(method -> method.getName()))
                .containsAll(functions);
    }

    @Test
    void keepsItsOwnSets() {
        Set<RdmaTaskType> tasks = EnumSet.of(RdmaTaskType.SEND, RdmaTaskType.RECEIVE);
        Set<TransportType> transports = EnumSet.of(TransportType.RC);
        RdmaCapabilities capabilities = new RdmaCapabilities(tasks, 1, 2, 3, 4, 5, 6, transports);
        tasks.add(RdmaTaskType.READ);
        transports.add(TransportType.DC);
        assertThat(capabilities.tasks()).containsExactlyInAnyOrder(RdmaTaskType.SEND, RdmaTaskType.RECEIVE);
        assertThat(capabilities.transports()).containsExactly(TransportType.RC);
    }
}
