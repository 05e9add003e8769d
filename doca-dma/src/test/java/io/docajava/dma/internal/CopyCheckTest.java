/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.Grants;
import io.docajava.core.internal.memory.MapState;
import io.docajava.dma.DmaCapabilities;
import io.docajava.junit.DocaExtension;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests cases that occur only with addresses of several processes; other tests cover the rest of the check. */
@ExtendWith(DocaExtension.class)
class CopyCheckTest {

    private final MemorySegment memory = Arena.global().allocate(64, 64);

    private Device device;
    private Resource resource;

    @BeforeEach
    void open() {
        device = Device.open(DeviceFilter.any());
        resource = Resource.open(this, "Mmap of a test");
    }

    @AfterEach
    void close() {
        resource.close(() -> {});
        device.close();
    }

    @Test
    void takesEqualAddressesOfTwoProcessesForDifferentMemory() {
        CopyCheck check = new CopyCheck(device, new DmaCapabilities(4096, 2, 1));

        assertThat(check.check(data(1, local()), space(2, imported(7)))).isEqualTo(64);
        assertThat(check.check(data(1, imported(7)), space(2, local()))).isEqualTo(64);
        assertThat(check.check(data(1, imported(7)), space(2, imported(8)))).isEqualTo(64);
    }

    @Test
    void takesEqualAddressesOfOneProcessForTheSameMemory() {
        CopyCheck check = new CopyCheck(device, new DmaCapabilities(4096, 2, 1));

        String message =
                "The target would be written over the source: 64 bytes at 0 of Mmap of a test and 64 bytes at 0"
                        + " of Mmap of a test";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> check.check(data(1, local()), space(2, local())))
                .withMessage(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> check.check(data(1, imported(7)), space(2, imported(7))))
                .withMessage(message);
    }

    @Test
    void refusesMemoryOfAnExportThatIsNotForThePciBus() {
        CopyCheck check = new CopyCheck(device, new DmaCapabilities(4096, 2, 1));
        MapState rdma = imported(new Grants("PCI_READ_ONLY", "PCI_READ_WRITE", null, null, null));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> check.check(data(1, rdma), space(2, local())))
                .withMessage("The source is in Mmap of a test, whose access lacks PCI_READ_ONLY");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> check.check(data(1, local()), space(2, rdma)))
                .withMessage("The target is in Mmap of a test, whose access lacks PCI_READ_WRITE");
    }

    private MapState local() {
        return MapState.local(1, memory, false, null, new long[] {DeviceImpl.address(device)}, resource);
    }

    private MapState imported(int descriptor) {
        return imported(descriptor, new Grants(null, null, null, null, null));
    }

    private MapState imported(Grants grants) {
        return imported(1, grants);
    }

    private MapState imported(int descriptor, Grants grants) {
        return MapState.imported(
                1, memory.address(), 64, new byte[] {(byte) descriptor}, grants, DeviceImpl.address(device), resource);
    }

    private static BufElement data(long pointer, MapState map) {
        BufElement element = new BufElement();
        element.take(map, pointer, map.base(), map.length(), map.length());
        return element;
    }

    private static BufElement space(long pointer, MapState map) {
        BufElement element = new BufElement();
        element.take(map, pointer, map.base(), map.length(), 0);
        return element;
    }
}
