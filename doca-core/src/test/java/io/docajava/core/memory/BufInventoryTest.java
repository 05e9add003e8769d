/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.internal.memory.BufImpl;
import io.docajava.core.testing.OpenHandles;
import io.docajava.core.testing.OtherThread;
import io.docajava.core.testing.Requirements;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(OpenHandles.class)
class BufInventoryTest {

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

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 16_777_217, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void refusesSizesThatAreNone(int size) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BufInventory.create(size))
                .withMessage("A BufInventory has room for 1 to 16777216 buffers, and not " + size);
    }

    @Test
    void lendsAsManyBuffersAsItHas() {
        try (BufInventory inventory = BufInventory.create(2)) {
            assertThat(inventory).hasToString("BufInventory of 2");
            assertThat(inventory.size()).isEqualTo(2);
            assertThat(inventory.available()).isEqualTo(2);

            Buf first = inventory.data(memory, 0, 10);
            Buf second = inventory.space(memory, 10, 10);

            assertThat(inventory.available()).isZero();
            assertThatExceptionOfType(ResourceExhaustedException.class)
                    .isThrownBy(() -> inventory.data(memory, 0, 10))
                    .withMessage("BufInventory of 2 is exhausted: all 2 buffers are taken"
                            + "; close one whose operation has completed, or create a larger one");

            first.close();
            assertThat(inventory.available()).isEqualTo(1);
            try (Buf third = inventory.data(memory, 20, 10)) {
                assertThat(third.offset()).isEqualTo(20);
                assertThat(second.offset()).isEqualTo(10);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0,8193",
        "8192,1",
        "8193,0",
        "-1,1",
        "0,-1",
        "4096,4097",
        "9223372036854775807,1",
        "1,9223372036854775807",
        "9223372036854775807,9223372036854775807",
        "-9223372036854775808,-9223372036854775808",
        "-9223372036854775808,9223372036854775807"
    })
    void refusesRangesOutsideOfTheMemory(long offset, long length) {
        try (BufInventory inventory = BufInventory.create(1)) {
            String message = "A buffer of " + length + " bytes at " + offset
                    + " is not inside of Mmap of 8192 bytes on 0000:03:00.0 (mlx5_0)";
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> inventory.data(memory, offset, length))
                    .withMessage(message);
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> inventory.space(memory, offset, length))
                    .withMessage(message);
            assertThat(inventory.available()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"0,0", "0,8192", "8191,1", "8192,0"})
    void takesAllRangesInsideOfTheMemory(long offset, long length) {
        if (offset == 8192) {
            Requirements.emptyBufferAtTheEnd(memory);
        }
        try (BufInventory inventory = BufInventory.create(1);
                Buf buf = inventory.data(memory, offset, length)) {
            assertThat(buf.offset()).isEqualTo(offset);
            assertThat(buf.length()).isEqualTo(length);
            assertThat(buf.data().byteSize()).isEqualTo(length);
        }
    }

    @Test
    void belongsToTheThreadThatMadeIt() throws InterruptedException {
        Thread.currentThread().setName("main");
        try (BufInventory inventory = BufInventory.create(1);
                Buf buf = inventory.data(memory, 0, 10)) {
            BufListBuilder list = inventory.list().data(memory, 0, 10);
            String message = "BufInventory of 1 belongs to thread \"main\" and was called by thread \"other\"";
            List<Throwable> thrown = new ArrayList<>();
            thrown.add(OtherThread.thrownBy(() -> inventory.data(memory, 0, 10)));
            thrown.add(OtherThread.thrownBy(() -> inventory.space(memory, 0, 10)));
            thrown.add(OtherThread.thrownBy(inventory::available));
            thrown.add(OtherThread.thrownBy(() -> inventory.expand(1)));
            thrown.add(OtherThread.thrownBy(() -> list.build()));
            thrown.add(OtherThread.thrownBy(inventory::close));
            thrown.add(OtherThread.thrownBy(buf::offset));
            thrown.add(OtherThread.thrownBy(buf::length));
            thrown.add(OtherThread.thrownBy(buf::data));
            thrown.add(OtherThread.thrownBy(buf::dataOffset));
            thrown.add(OtherThread.thrownBy(buf::dataLength));
            thrown.add(OtherThread.thrownBy(buf::remaining));
            thrown.add(OtherThread.thrownBy(buf::elements));
            thrown.add(OtherThread.thrownBy(buf::clear));
            thrown.add(OtherThread.thrownBy(() -> buf.setData(0, 1)));
            thrown.add(OtherThread.thrownBy(() -> buf.append(buf)));
            thrown.add(OtherThread.thrownBy(() -> buf.reuseAsData(0, 1)));
            thrown.add(OtherThread.thrownBy(() -> buf.reuseAsSpace(0, 1)));
            thrown.add(OtherThread.thrownBy(buf::clearList));
            thrown.add(OtherThread.thrownBy(buf::detach));
            thrown.add(OtherThread.thrownBy(() -> BufImpl.list(buf)));
            thrown.add(OtherThread.thrownBy(buf::close));

            assertThat(thrown)
                    .allSatisfy(e -> assertThat(e)
                            .isExactlyInstanceOf(IllegalStateException.class)
                            .hasMessage(message));
        }
    }

    @Test
    void namesThreadsWithoutNameByTheirNumber() throws InterruptedException {
        try (BufInventory inventory = BufInventory.create(1)) {
            Thread thread = Thread.ofVirtual()
                    .unstarted(() -> assertThatIllegalStateException()
                            .isThrownBy(inventory::available)
                            .withMessageEndingWith("was called by thread #"
                                    + Thread.currentThread().threadId()));
            List<Throwable> failures = new ArrayList<>();
            thread.setUncaughtExceptionHandler((ignored, failure) -> failures.add(failure));
            thread.start();
            thread.join();
            assertThat(failures).isEmpty();
        }
    }

    @Test
    void returnsItsBuffersWhenItCloses() {
        BufInventory inventory = BufInventory.create(3);
        Buf single = inventory.data(memory, 0, 10);
        Buf head = inventory.data(memory, 10, 10);
        Buf tail = inventory.data(memory, 20, 10);
        head.append(tail);

        inventory.close();

        single.close();
        head.close();
        tail.close();
        for (Buf buf : List.of(single, head, tail)) {
            assertThatIllegalStateException().isThrownBy(buf::length).withMessage("BufInventory of 3 is closed");
        }
    }

    @Test
    void closesOnceAndRefusesUseAfterwards() throws InterruptedException {
        BufInventory inventory = BufInventory.create(1);

        inventory.close();
        inventory.close();

        assertThat(OtherThread.thrownBy(inventory::close)).isNull();
        assertThatIllegalStateException()
                .isThrownBy(() -> inventory.data(memory, 0, 10))
                .withMessage("BufInventory of 1 is closed");
        assertThatIllegalStateException().isThrownBy(inventory::available).withMessage("BufInventory of 1 is closed");
        assertThatIllegalStateException()
                .isThrownBy(() -> inventory.expand(1))
                .withMessage("BufInventory of 1 is closed");
        assertThatIllegalStateException()
                .isThrownBy(() -> inventory.list().data(memory, 0, 10).build())
                .withMessage("BufInventory of 1 is closed");
        assertThat(inventory.size()).isEqualTo(1);
    }

    @Test
    void growsWhileItsBuffersAreInUse() {
        Requirements.function("doca_buf_inventory_expand");
        try (BufInventory inventory = BufInventory.create(2)) {
            Buf first = inventory.data(memory, 0, 10);
            Buf second = inventory.data(memory, 10, 10);

            inventory.expand(3);

            assertThat(inventory.size()).isEqualTo(5);
            assertThat(inventory.available()).isEqualTo(3);
            Buf list = inventory.list().splitData(memory, 20, 30, 3).build();
            assertThat(inventory.available()).isZero();
            assertThatExceptionOfType(ResourceExhaustedException.class)
                    .isThrownBy(() -> inventory.data(memory, 0, 10))
                    .withMessage("BufInventory of 2 is exhausted: all 5 buffers are taken"
                            + "; close one whose operation has completed, or create a larger one");
            for (Buf buf : List.of(first, second, list)) {
                Mirrors.assertTrue(buf);
            }
            second.close();
            list.close();
            assertThat(inventory.available()).isEqualTo(4);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 16_777_215, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void doesNotGrowByWhatCannotBe(int more) {
        try (BufInventory inventory = BufInventory.create(2)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> inventory.expand(more))
                    .withMessage("A BufInventory has room for at most 16777216 buffers: one with 2 cannot have " + more
                            + " more");
            assertThat(inventory.size()).isEqualTo(2);
        }
    }

    @Test
    void isNamedByTheMapsThatItKeepsOpen() {
        try (Mmap other = Mmap.allocate(device, 64, Access.LOCAL_READ_WRITE);
                BufInventory one = BufInventory.create(3);
                BufInventory two = BufInventory.create(4);
                BufInventory elsewhere = BufInventory.create(5)) {
            two.data(memory, 0, 10);
            Buf list = one.list().data(memory, 0, 10).data(memory, 0, 10).build();
            elsewhere.data(other, 0, 10);

            assertThatIllegalStateException()
                    .isThrownBy(memory::close)
                    .withMessage("Mmap of 8192 bytes on 0000:03:00.0 (mlx5_0) cannot be closed while 3 buffers of"
                            + " BufInventory of 3, BufInventory of 4 point into it");
            list.close();
            assertThatIllegalStateException()
                    .isThrownBy(memory::close)
                    .withMessage("Mmap of 8192 bytes on 0000:03:00.0 (mlx5_0) cannot be closed while 1 buffer of"
                            + " BufInventory of 4 points into it");
        }
    }

    @Test
    void doesNotCloseWhileTasksUseItsBuffers() {
        BufInventory inventory = BufInventory.create(3);
        Buf idle = inventory.data(memory, 0, 10);
        Buf busy = inventory.data(memory, 0, 10);
        Buf also = inventory.data(memory, 0, 10);
        BufImpl.list(busy).acquire();
        BufImpl.list(busy).acquire();

        assertThatIllegalStateException()
                .isThrownBy(inventory::close)
                .withMessage("BufInventory of 3 cannot be closed while tasks in flight use 1 buffer");
        BufImpl.list(also).acquire();
        assertThatIllegalStateException()
                .isThrownBy(inventory::close)
                .withMessage("BufInventory of 3 cannot be closed while tasks in flight use 2 buffers");
        assertThat(idle.length()).isEqualTo(10);

        BufImpl.list(busy).release();
        BufImpl.list(busy).release();
        BufImpl.list(also).release();
        inventory.close();
    }
}
