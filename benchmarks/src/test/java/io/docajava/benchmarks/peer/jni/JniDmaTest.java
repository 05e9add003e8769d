/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.peer.jni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.docajava.benchmarks.EmulatorSdk;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The JNI peer copies, as what it is compared with. */
@Timeout(600)
class JniDmaTest {

    @BeforeAll
    @SuppressWarnings("restricted")
    static void loadEmulator() {
        Path libraries = EmulatorSdk.libraries();
        System.load(libraries.resolve("libdoca_common.so.2").toString());
        System.load(libraries.resolve("libdoca_dma.so.2").toString());
    }

    @Test
    void copiesWindowAfterWindow() {
        try (JniDma dma = new JniDma(64, 3)) {
            for (int round = 0; round < 5; round++) {
                fill(dma.source(), round);
                for (int i = 0; i < 3; i++) {
                    dma.submit(i);
                }
                int completed = 0;
                while (completed < 3) {
                    completed += dma.progress();
                }

                assertThat(dma.target()).isEqualTo(dma.source());
            }
            assertThat(dma.numCompleted()).isEqualTo(15);
            assertThat(dma.lastCompleted()).isEqualTo(2);
            assertThat(dma.progress()).isZero();
        }
    }

    @Test
    void copiesItsOwnStretchOnly() {
        try (JniDma dma = new JniDma(16, 2)) {
            fill(dma.source(), 1);
            dma.submit(1);
            assertThat(dma.progress()).isEqualTo(1);

            assertThat(dma.target().slice(0, 16)).isEqualTo(ByteBuffer.allocate(16));
            assertThat(dma.target().slice(16, 16)).isEqualTo(dma.source().slice(16, 16));
            assertThat(dma.lastCompleted()).isEqualTo(1);
        }
    }

    @Test
    void refusesTasksThatAreInFlightOrAreNot() {
        try (JniDma dma = new JniDma(64, 2)) {
            dma.submit(0);

            assertThatIllegalStateException().isThrownBy(() -> dma.submit(0)).withMessage("the copy is in flight");
            assertThat(catchThrowable(() -> dma.submit(2))).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void closesWithCopiesInFlight() {
        JniDma dma = new JniDma(64, 2);
        dma.submit(0);
        dma.submit(1);
        dma.close();
        dma.close();

        assertThatIllegalStateException().isThrownBy(() -> dma.submit(0)).withMessage("It is closed");
        assertThatIllegalStateException().isThrownBy(dma::progress).withMessage("It is closed");
    }

    @Test
    void reportsCopiesThatFail() throws Throwable {
        try (JniDma dma = new JniDma(64, 1)) {
            setFaults("fail-task=1:IO_FAILED");
            dma.submit(0);

            assertThatIllegalStateException().isThrownBy(dma::progress).withMessage("Input/Output Operation Failed");
            assertThat(dma.numCompleted()).isZero();
        } finally {
            setFaults("");
        }
    }

    /**
     * Sets the faults of the libraries that the JNI peer is linked with: those that this process has loaded first, which may be
     * those of the Java API.
     */
    @SuppressWarnings("restricted")
    private static void setFaults(String faults) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            Path peer = Path.of(System.getProperty("doca.benchmarks.native"), "libdoca_bench_jni.so");
            MemorySegment function = SymbolLookup.libraryLookup(peer, arena).findOrThrow("doca_emulator_set_faults");
            MethodHandle setFaults = Linker.nativeLinker()
                    .downcallHandle(function, FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
            assertThat((int) setFaults.invokeExact(arena.allocateFrom(faults))).isZero();
        }
    }

    @Test
    void refusesCopiesThatAreTooLarge() {
        try (JniDma dma = new JniDma((2 << 20) + 1, 1)) {
            assertThatIllegalStateException().isThrownBy(() -> dma.submit(0)).withMessage("Invalid input");
            assertThat(dma.numCompleted()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 0", "-1, 1", "65536, 65536"})
    void refusesSizes(int size, int depth) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new JniDma(size, depth).close())
                .withMessage(
                        "There is at least 1 copy of at least 1 byte, and less than 2 GiB in all, and not %d of %d",
                        depth, size);
    }

    private static void fill(ByteBuffer memory, int seed) {
        for (int i = 0; i < memory.capacity(); i++) {
            memory.put(i, (byte) (i + seed));
        }
    }
}
