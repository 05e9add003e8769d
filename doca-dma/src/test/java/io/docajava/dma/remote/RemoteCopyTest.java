/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.context.ContextState;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.memory.MmapExport;
import io.docajava.junit.PeerJvm;
import io.docajava.testing.Await;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests copies between this process on the DPU and the memory of another process on the host.
 *
 * <p>{@code -Ddoca.kills=100} kills that many exporters in a row.
 */
@Timeout(600)
class RemoteCopyTest {

    private static final int KILLS = Integer.getInteger("doca.kills", 3);

    private static final int BYTES = 100_000;
    private static final Duration LONG = Await.LIMIT;
    private static final String REMOTE = "Mmap of 100000 bytes imported on " + DpuLab.DEVICE;

    private static PeerJvm host;

    @BeforeAll
    static void start() {
        host = HostMemory.start();
    }

    @AfterAll
    static void end() {
        host.close();
    }

    @Test
    void pulls() throws Exception {
        try (DpuLab lab = new DpuLab();
                Mmap remote = Mmap.fromExport(lab.device, HostMemory.export(host, BYTES, "PCI_READ_ONLY"))) {
            assertThat(lab.pull(remote)).isEqualTo(BYTES);
            assertThat(lab.has(1, BYTES)).isTrue();
        }
    }

    @Test
    void pushes() throws Exception {
        try (DpuLab lab = new DpuLab();
                Mmap remote = Mmap.fromExport(lab.device, HostMemory.export(host, BYTES, "PCI_READ_WRITE"))) {
            Pattern.fill(lab.memory.segment(), 7);
            assertThat(lab.push(remote)).isEqualTo(BYTES);
            assertThat(host.ask("check 7")).isEqualTo("true");
            assertThat(lab.pull(remote)).isEqualTo(BYTES);
        }
    }

    @Test
    void copiesFromAPartToAPart() throws Exception {
        try (DpuLab lab = new DpuLab();
                Mmap remote = Mmap.fromExport(lab.device, HostMemory.export(host, BYTES, "PCI_READ_WRITE"))) {
            MapRange source = remote.range(5000, 3);
            lab.dma.copy(source, lab.memory.range(17, 3)).await();
            lab.dma.copy(source, remote.range(1, 3)).await();
            assertThat(lab.pull(remote)).isEqualTo(BYTES);
            assertThat(lab.memory
                            .segment()
                            .asSlice(1, 3)
                            .mismatch(lab.memory.segment().asSlice(5000, 3)))
                    .isEqualTo(-1);
        }
    }

    @Test
    void refusesToWriteWhereTheExportDoesNotPermitIt() throws Exception {
        try (DpuLab lab = new DpuLab();
                Mmap remote = Mmap.fromExport(lab.device, HostMemory.export(host, BYTES, "PCI_READ_ONLY"))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> lab.push(remote))
                    .withMessage("The target is in " + REMOTE + ", whose access lacks PCI_READ_WRITE");
            assertThat(lab.dma.state()).isEqualTo(ContextState.RUNNING);
            assertThat(host.ask("check 1")).isEqualTo("true");
        }
    }

    @Test
    void letsTheDeviceRefuseWhereTheExportDoesNotTell() throws Exception {
        MmapExport export = HostMemory.export(host, BYTES, "PCI_READ_ONLY");
        MmapExport untold = MmapExport.of(export.descriptor(), export.address(), export.length());
        try (DpuLab lab = new DpuLab();
                Mmap remote = Mmap.fromExport(lab.device, untold)) {
            DocaCallException failure = catchThrowableOfType(DocaCallException.class, () -> lab.push(remote));

            assertThat(failure.error()).isEqualTo(DocaError.IO_FAILED);
            assertStopped(lab);
            assertThat(host.ask("check 1")).isEqualTo("true");

            lab.dma.restart();
            assertThat(lab.pull(remote)).isEqualTo(BYTES);
        }
    }

    @Test
    void refusesToWriteOverTheSourceInTheOtherProcess() throws Exception {
        MmapExport export = HostMemory.export(host, BYTES, "PCI_READ_WRITE");
        try (DpuLab lab = new DpuLab();
                Mmap one = Mmap.fromExport(lab.device, export);
                Mmap other = Mmap.fromExport(lab.device, export);
                BufInventory buffers = BufInventory.create(2);
                Buf source = buffers.data(one, 0, 10);
                Buf target = buffers.space(other, 9, 10)) {
            String message = "The target would be written over the source: 10 bytes at 0 of " + REMOTE + " and ";
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> lab.dma.copy(one.range(0, 10), other.range(9, 10)))
                    .withMessage(message + "at 9 of " + REMOTE);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> lab.dma.copy(source, target))
                    .withMessage(message + "10 bytes at 9 of " + REMOTE);
        }
    }

    @Test
    void failsWhenTheExporterHasClosedItsMap() throws Exception {
        try (DpuLab lab = new DpuLab();
                Mmap remote = Mmap.fromExport(lab.device, HostMemory.export(host, BYTES, "PCI_READ_ONLY"))) {
            assertThat(host.ask("close")).isEqualTo("closed");

            DocaCallException failure = catchThrowableOfType(DocaCallException.class, () -> lab.pull(remote));

            assertThat(failure.error()).isEqualTo(DocaError.IO_FAILED);
            assertThat(failure.getMessage())
                    .startsWith("Copying 100000 bytes from 0 of " + REMOTE + " to 0 of Mmap of 1048576 bytes on "
                            + DpuLab.DEVICE + ": doca_dma_task_memcpy failed with DOCA_ERROR_IO_FAILED (Input/Output"
                            + " Operation Failed)");
            assertStopped(lab);
            lab.dma.restart();
            try (Mmap next = Mmap.fromExport(lab.device, HostMemory.export(host, BYTES, "PCI_READ_ONLY"))) {
                assertThat(lab.pull(next)).isEqualTo(BYTES);
                assertThat(lab.has(1, BYTES)).isTrue();
            }
        }
    }

    @Test
    @Timeout(600)
    void outlivesAnExporterThatIsKilled() throws Exception {
        try (DpuLab lab = new DpuLab()) {
            for (int round = 0; round < KILLS; round++) {
                copyUntilItIsKilled(lab);
                lab.dma.restart();
            }
            try (Mmap next = Mmap.fromExport(lab.device, HostMemory.export(host, BYTES, "PCI_READ_ONLY"))) {
                assertThat(lab.pull(next)).isEqualTo(BYTES);
                assertThat(lab.has(1, BYTES)).isTrue();
            }
        }
    }

    private static void copyUntilItIsKilled(DpuLab lab) throws Exception {
        try (PeerJvm victim = HostMemory.start();
                Mmap remote = Mmap.fromExport(lab.device, HostMemory.export(victim, BYTES, "PCI_READ_ONLY"))) {
            CopyStream copies = new CopyStream(lab, remote, 8);
            assertThat(lab.engine.await(() -> copies.copied() >= 100, LONG))
                    .as("100 copies within %s", LONG)
                    .isTrue();

            victim.kill();

            assertThat(lab.engine.await(() -> !copies.failures().isEmpty(), LONG))
                    .as("a copy fails within %s after the exporter was killed", LONG)
                    .isTrue();
            assertStopped(lab);
            assertThat(copies.failures().size() + copies.ended()).isEqualTo(8);
            // The SDK refuses copies that were deferred when the context stopped.
            assertThat(copies.failures())
                    .extracting(DocaCallException::error)
                    .contains(DocaError.IO_FAILED)
                    .isSubsetOf(DocaError.IO_FAILED, DocaError.BAD_STATE);
        }
    }

    private static void assertStopped(DpuLab lab) throws InterruptedException {
        assertThat(lab.engine.await(() -> lab.dma.state() == ContextState.IDLE, LONG))
                .as("%s is stopped within %s", lab.dma, LONG)
                .isTrue();
    }
}
