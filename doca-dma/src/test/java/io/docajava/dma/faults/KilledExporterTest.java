/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.junit.DocaEmulator;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests a process that is killed while its memory is being copied. */
@Timeout(600)
@SuppressWarnings("try")
@DocaEmulator
class KilledExporterTest {

    /** The exit code of a process that SIGKILL has ended. */
    private static final int KILLED = 128 + 9;

    @TempDir
    private Path folder;

    @Test
    void theCopyFailsAndTheContextServesTheNextExporter() throws Exception {
        try (FaultLab lab = new FaultLab();
                Mmap local = Mmap.allocate(lab.device, Exporter.BYTES, Access.LOCAL_READ_WRITE);
                EmulatorFaults faults = EmulatorFaults.builder().killExporter(2).inject()) {
            try (Exporter exporter = new Exporter(folder);
                    Mmap remote = Mmap.fromExport(lab.device, exporter.export())) {
                // Copies of other memory do not count towards the kill.
                lab.assertCopies();
                assertThat(lab.dma.copy(remote.all(), local.all()).await()).isEqualTo(Exporter.BYTES);
                assertThat(sevens(local)).isEqualTo(Exporter.BYTES);
                assertThat(exporter.isAlive()).isTrue();

                local.segment().fill((byte) 0);
                Completion<Long> copy = lab.dma.copy(remote.all(), local.all());
                Completion<Long> aborted = lab.copy(0);
                assertThatThrownBy(() -> copy.await())
                        .isInstanceOfSatisfying(
                                DocaCallException.class,
                                failure -> assertThat(failure.error()).isEqualTo(DocaError.IO_FAILED));
                lab.drain();
                assertThat(aborted).isDone();
                assertThat(exporter.exitCode()).isEqualTo(KILLED);
                assertThat(sevens(local)).isEqualTo(Exporter.BYTES / 2);
                lab.dma.restart();
                lab.assertCopies();
            }
            try (Exporter next = new Exporter(folder);
                    Mmap remote = Mmap.fromExport(lab.device, next.export())) {
                assertThat(lab.dma.copy(remote.all(), local.all()).await()).isEqualTo(Exporter.BYTES);
                assertThat(sevens(local)).isEqualTo(Exporter.BYTES);
            }
        }
    }

    private static long sevens(Mmap memory) {
        long sum = 0;
        for (long i = 0; i < memory.byteSize(); i++) {
            sum += memory.segment().get(ValueLayout.JAVA_BYTE, i) == 7 ? 1 : 0;
        }
        return sum;
    }
}
