/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.docajava.DocaException;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.internal.memory.BufImpl;
import io.docajava.core.internal.memory.MmapImpl;
import io.docajava.core.testing.OpenHandles;
import io.docajava.core.testing.OtherThread;
import io.docajava.ffi.generated.common.DocaCommon;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(OpenHandles.class)
class BufPoolTest {

    private static final String MAP = "Mmap of 8192 bytes on 0000:03:00.0 (mlx5_0)";

    private Device device;
    private Mmap memory;

    @BeforeEach
    void open() {
        device = Device.open(DeviceFilter.any());
        memory = Mmap.allocate(device, 8192, Access.LOCAL_READ_WRITE);
    }

    @AfterEach
    void close() {
        memory.close();
        device.close();
    }

    @Test
    void lendsEmptyBuffersThatLieSideBySide() {
        try (BufPool pool = BufPool.create(memory, 3, 100)) {
            assertThat(pool).hasToString("BufPool of 3 x 100 bytes");
            assertThat(pool.size()).isEqualTo(3);
            assertThat(pool.elementSize()).isEqualTo(100);
            assertThat(pool.memory()).isSameAs(memory);
            assertThat(pool.available()).isEqualTo(3);

            List<Buf> bufs = take(pool, 3);

            assertThat(pool.available()).isZero();
            assertThat(bufs).extracting(Buf::offset).containsExactlyInAnyOrder(0L, 100L, 200L);
            for (Buf buf : bufs) {
                assertThat(List.of(buf.length(), buf.dataOffset(), buf.dataLength(), buf.remaining()))
                        .containsExactly(100L, 0L, 0L, 100L);
                assertThat(buf.memory()).isSameAs(memory);
                Mirrors.assertTrue(buf);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"64,100,128", "128,100,128", "128,128,128", "4096,1,4096", "1,7,7", "2,7,8"})
    void alignsItsBuffers(long alignment, long size, long distance) {
        try (BufPool pool = BufPool.create(memory, 2, size, alignment)) {
            assertThat(take(pool, 2)).extracting(Buf::offset).containsExactlyInAnyOrder(0L, distance);
        }
    }

    @Test
    void alignsTheFirstBufferToo() {
        MemorySegment unaligned = Arena.global().allocate(256, 64).asSlice(1);
        try (Mmap map = Mmap.register(device, unaligned, Access.LOCAL_READ_WRITE);
                BufPool pool = BufPool.create(map, 3, 64, 64)) {
            assertThat(take(pool, 3)).extracting(Buf::offset).containsExactlyInAnyOrder(63L, 127L, 191L);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> BufPool.create(map, 4, 64, 64))
                    .withMessage("4 buffers of 64 bytes, each at a multiple of 64, do not fit into Mmap of 255 bytes on"
                            + " 0000:03:00.0 (mlx5_0)");
        }
    }

    @Test
    void isExhaustedUntilABufferReturns() {
        try (BufPool pool = BufPool.create(memory, 2, 100)) {
            List<Buf> bufs = take(pool, 2);

            assertThatExceptionOfType(ResourceExhaustedException.class)
                    .isThrownBy(pool::take)
                    .withMessage("BufPool of 2 x 100 bytes is exhausted: all 2 buffers are taken"
                            + "; close one whose operation has completed, or create a larger one");

            Buf returned = bufs.getFirst();
            long place = returned.offset();
            returned.close();
            returned.close();
            assertThat(pool.available()).isEqualTo(1);
            assertThat(pool.take().offset()).isEqualTo(place);
            assertThatIllegalStateException()
                    .isThrownBy(returned::length)
                    .withMessage("Buf in " + MAP + ", closed cannot be used: it was returned to BufPool of 2 x 100"
                            + " bytes");
        }
    }

    @Test
    void emptiesABufferBeforeItIsTakenAgain() {
        try (BufPool pool = BufPool.create(memory, 1, 100)) {
            try (Buf buf = pool.take()) {
                buf.setData(10, 20);
                Mirrors.assertTrue(buf);
            }
            try (Buf buf = pool.take()) {
                assertThat(buf.dataOffset()).isZero();
                assertThat(buf.remaining()).isEqualTo(100);
                Mirrors.assertTrue(buf);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 16_777_217, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void refusesNumbersOfBuffersThatAreNone(int elements) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BufPool.create(memory, elements, 1))
                .withMessage("A BufPool has 1 to 16777216 buffers, and not " + elements);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void refusesSizesThatAreNone(long size) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BufPool.create(memory, 1, size))
                .withMessage("The buffers of a BufPool have at least 1 byte, and not " + size);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 3, 96, Long.MIN_VALUE, Long.MAX_VALUE})
    void refusesAlignmentsThatAreNone(long alignment) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BufPool.create(memory, 1, 1, alignment))
                .withMessage("An alignment is a power of two, and not " + alignment);
    }

    @ParameterizedTest
    @CsvSource({"1,8192,1", "8192,1,1", "2,4096,4096", "2,1,4096", "128,64,64", "82,99,1", "1,8192,4096"})
    void fillsTheMemory(int elements, long size, long alignment) {
        try (BufPool pool = BufPool.create(memory, elements, size, alignment)) {
            take(pool, elements).forEach(Mirrors::assertTrue);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1,8193",
        "8193,1",
        "2,4097",
        "83,99",
        "1,9223372036854775807",
        "16777216,9223372036854775807",
        "16777216,549755813888"
    })
    void refusesWhatDoesNotFit(int elements, long size) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BufPool.create(memory, elements, size))
                .withMessage(elements + " buffers of " + size + " bytes do not fit into " + MAP);
    }

    @ParameterizedTest
    @CsvSource({"3,1,4096", "2,4097,4096", "129,64,64", "65,65,128", "2,1,4611686018427387904"})
    void refusesWhatDoesNotFitAligned(int elements, long size, long alignment) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BufPool.create(memory, elements, size, alignment))
                .withMessage(elements + " buffers of " + size + " bytes, each at a multiple of " + alignment
                        + ", do not fit into " + MAP);
    }

    @Test
    void isNotCreatedInAClosedMap() {
        Mmap gone = Mmap.allocate(device, 64, Access.LOCAL_READ_WRITE);
        gone.close();

        assertThatIllegalStateException()
                .isThrownBy(() -> BufPool.create(gone, 1, 1))
                .withMessage("Mmap of 64 bytes on 0000:03:00.0 (mlx5_0) is closed");
    }

    @Test
    void keepsItsMapOpen() {
        try (BufPool pool = BufPool.create(memory, 2, 100)) {
            assertThatIllegalStateException()
                    .isThrownBy(memory::close)
                    .withMessage(MAP + " cannot be closed while in use by: BufPool of 2 x 100 bytes");
            pool.take();
        }
    }

    @Test
    void lendsNothingOfMemoryThatWasFreed() {
        Arena arena = Arena.ofConfined();
        try (Mmap lent = Mmap.registerUnchecked(device, arena.allocate(64), Access.LOCAL_READ_WRITE);
                BufPool pool = BufPool.create(lent, 2, 16)) {
            pool.take();
            arena.close();
            String message = "The memory of Mmap of 64 bytes on 0000:03:00.0 (mlx5_0) was freed while it was mapped";

            assertThatIllegalStateException().isThrownBy(pool::take).withMessage(message);
            assertThat(pool.available()).isEqualTo(1);
            assertThatIllegalStateException()
                    .isThrownBy(() -> BufPool.create(lent, 1, 16))
                    .withMessage(message);
        }
    }

    @Test
    void isNotThereWhenTheSdkRefusesToStartIt() {
        // Stops the native map without the Java object, as a bug in doca-java would.
        MemorySegment map = MemorySegment.ofAddress(MmapImpl.state(memory).pointer());
        assertThat(DocaCommon.doca_mmap_stop(map)).isZero();

        assertThatExceptionOfType(DocaException.class)
                .isThrownBy(() -> BufPool.create(memory, 2, 100))
                .withMessageMatching("Starting a BufPool of 2 x 100 bytes: doca_buf_pool_start failed with"
                        + " DOCA_ERROR_BAD_STATE \\(Bad State\\)(: .*(is not|wasn't) started.*)?")
                .satisfies(refused -> assertThat(refused.getSuppressed()).isEmpty());
    }

    @Test
    void chainsItsBuffersWithEachOtherOnly() {
        try (BufPool pool = BufPool.create(memory, 3, 100);
                BufInventory inventory = BufInventory.create(1);
                BufPool elsewhere = BufPool.create(memory, 1, 50)) {
            Buf list = pool.take().append(pool.take()).append(pool.take());
            Buf stranger = inventory.data(memory, 0, 10);
            Buf other = elsewhere.take();

            assertThat(list.elements()).isEqualTo(3);
            Mirrors.assertTrue(list);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> list.append(stranger))
                    .withMessage("A buffer of BufInventory of 1 cannot be appended to one of BufPool of 3 x 100 bytes:"
                            + " lists are of one inventory or pool");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> stranger.append(list))
                    .withMessage("A buffer of BufPool of 3 x 100 bytes cannot be appended to one of BufInventory of 1:"
                            + " lists are of one inventory or pool");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> list.append(other))
                    .withMessage("A buffer of BufPool of 1 x 50 bytes cannot be appended to one of BufPool of 3 x 100"
                            + " bytes: lists are of one inventory or pool");

            list.close();
            assertThat(pool.available()).isEqualTo(3);
        }
    }

    @Test
    void aimsNoBufferAtAnotherPlace() {
        try (BufPool pool = BufPool.create(memory, 1, 100)) {
            Buf buf = pool.take();
            String message = "A buffer of BufPool of 1 x 100 bytes keeps its place: only those of a BufInventory can be"
                    + " aimed at another range";

            assertThatIllegalStateException()
                    .isThrownBy(() -> buf.reuseAsData(0, 10))
                    .withMessage(message);
            assertThatIllegalStateException()
                    .isThrownBy(() -> buf.reuseAsSpace(0, 10))
                    .withMessage(message);
            Mirrors.assertTrue(buf);
        }
    }

    @Test
    void belongsToTheThreadThatMadeIt() throws InterruptedException {
        Thread.currentThread().setName("main");
        try (BufPool pool = BufPool.create(memory, 1, 100);
                Buf buf = pool.take()) {
            List<Throwable> thrown = new ArrayList<>();
            thrown.add(OtherThread.thrownBy(pool::take));
            thrown.add(OtherThread.thrownBy(pool::available));
            thrown.add(OtherThread.thrownBy(pool::close));
            thrown.add(OtherThread.thrownBy(buf::length));
            thrown.add(OtherThread.thrownBy(buf::close));

            assertThat(thrown)
                    .allSatisfy(e -> assertThat(e)
                            .isExactlyInstanceOf(IllegalStateException.class)
                            .hasMessage("BufPool of 1 x 100 bytes belongs to thread \"main\" and was called by thread"
                                    + " \"other\""));
        }
    }

    @Test
    void returnsItsBuffersWhenItCloses() {
        BufPool pool = BufPool.create(memory, 3, 100);
        Buf single = pool.take();
        Buf list = pool.take().append(pool.take());

        pool.close();
        pool.close();

        single.close();
        list.close();
        assertThatIllegalStateException().isThrownBy(single::length).withMessage("BufPool of 3 x 100 bytes is closed");
        assertThatIllegalStateException().isThrownBy(pool::take).withMessage("BufPool of 3 x 100 bytes is closed");
        assertThatIllegalStateException().isThrownBy(pool::available).withMessage("BufPool of 3 x 100 bytes is closed");
        assertThat(pool.size()).isEqualTo(3);
    }

    @Test
    void doesNotCloseWhileTasksUseItsBuffers() {
        BufPool pool = BufPool.create(memory, 2, 100);
        Buf busy = pool.take();
        Buf idle = pool.take();
        BufImpl.list(busy).acquireAsTarget();

        assertThatIllegalStateException()
                .isThrownBy(pool::close)
                .withMessage("BufPool of 2 x 100 bytes cannot be closed while tasks in flight use 1 buffer");
        assertThat(idle.length()).isEqualTo(100);

        BufImpl.list(busy).releaseAsTarget();
        pool.close();
    }

    private static List<Buf> take(BufPool pool, int number) {
        return IntStream.range(0, number).mapToObj(i -> pool.take()).toList();
    }
}
