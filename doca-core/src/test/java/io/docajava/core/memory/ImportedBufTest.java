/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.testing.ChildJvm;
import io.docajava.core.testing.OpenHandles;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.HexFormat;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests buffers of host memory that this process on the DPU has imported. */
@ExtendWith(OpenHandles.class)
@Timeout(600)
class ImportedBufTest {

    private static final String MAP = "Mmap of 8192 bytes imported on 0000:03:00.0 (mlx5_0)";

    private static Process host;
    private static MmapExport export;

    @BeforeAll
    static void startHost() throws IOException {
        host = new ChildJvm().environment("DOCA_EMULATOR_ROLE", "host").start(Host.class);
        BufferedReader output = host.inputReader();
        String line = output.readLine();
        while (line != null && !line.startsWith("export ")) {
            line = output.readLine();
        }
        assertThat(line).isNotNull();
        export = MmapExport.parse(HexFormat.of().parseHex(line.substring("export ".length())));
    }

    @AfterAll
    static void endHost() throws Exception {
        host.getOutputStream().close();
        assertThat(host.waitFor()).isZero();
    }

    @Test
    void areTakenAimedAndListed() {
        try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
                Mmap memory = Mmap.fromExport(device, export);
                Mmap own = Mmap.allocate(device, 64, Access.LOCAL_READ_WRITE);
                BufInventory inventory = BufInventory.create(5)) {
            Buf buf = inventory.data(memory, 0, 10).reuseAsSpace(4096, 4096);
            assertThat(buf.offset()).isEqualTo(4096);
            assertThat(buf.remaining()).isEqualTo(4096);
            Mirrors.assertTrue(buf);
            assertThatIllegalStateException()
                    .isThrownBy(buf::data)
                    .withMessage(MAP + " has no segment: it is memory of another process, which only a device reaches;"
                            + " copy it");

            Buf list = inventory
                    .list()
                    .data(own, 0, 64)
                    .splitData(memory, 0, 8192, 3)
                    .build();
            assertThat(list.elements()).isEqualTo(4);
            Mirrors.assertTrue(list);
            assertThatIllegalStateException()
                    .isThrownBy(memory::close)
                    .withMessage(MAP + " cannot be closed while 4 buffers of BufInventory of 5 point into it");
        }
    }

    @Test
    void comeFromAPool() {
        try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
                Mmap memory = Mmap.fromExport(device, export);
                BufPool pool = BufPool.create(memory, 3, 100, 128)) {
            assertThat(IntStream.range(0, 3).mapToObj(i -> pool.take()).peek(Mirrors::assertTrue))
                    .extracting(Buf::offset)
                    .containsExactlyInAnyOrder(0L, 128L, 256L);
        }
    }

    @Test
    void comeFromNoPoolWhereTheMemoryBeginsLaterThanWhatWasExported() {
        MmapExport part = MmapExport.of(export.descriptor(), export.address() + 4096, 4096);
        try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
                Mmap memory = Mmap.fromExport(device, part)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> BufPool.create(memory, 3, 100))
                    .withMessage("A BufPool begins where the exported memory begins, and Mmap of 4096 bytes imported on"
                            + " 0000:03:00.0 (mlx5_0) begins 4096 bytes behind that");
        }
    }

    /** Runs on the host. */
    static final class Host {

        private Host() {}

        public static void main(String[] args) throws IOException {
            try (Device device = Device.open(DeviceFilter.any());
                    Mmap memory = Mmap.allocate(device, 8192, Access.PCI_READ_WRITE)) {
                byte[] exported = memory.exportPci(device).toBytes();
                System.out.println("export " + HexFormat.of().formatHex(exported));
                // Waits until the test has ended.
                assertThat(System.in.read()).isEqualTo(-1);
            }
        }
    }
}
