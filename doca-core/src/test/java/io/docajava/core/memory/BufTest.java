/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.BufImpl;
import io.docajava.core.testing.OpenHandles;
import io.docajava.core.testing.Requirements;
import java.lang.foreign.Arena;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(OpenHandles.class)
class BufTest {

    private static final String IN_FLIGHT = "A buffer that a task in flight uses cannot be changed or closed";

    private Device device;
    private Mmap memory;
    private BufInventory inventory;

    @BeforeEach
    void open() {
        device = Device.open(DeviceFilter.any());
        memory = Mmap.allocate(device, 8192, Access.LOCAL_READ_WRITE);
        inventory = BufInventory.create(8);
    }

    @AfterEach
    void close() {
        inventory.close();
        memory.close();
        device.close();
    }

    @Test
    void isFullOrEmptyAtFirst() {
        Buf data = inventory.data(memory, 100, 50);
        Buf space = inventory.space(memory, 100, 50);

        assertThat(data.memory()).isSameAs(memory);
        assertThat(List.of(data.offset(), data.length(), data.dataOffset(), data.dataLength(), data.remaining()))
                .containsExactly(100L, 50L, 0L, 50L, 0L);
        assertThat(List.of(space.offset(), space.length(), space.dataOffset(), space.dataLength(), space.remaining()))
                .containsExactly(100L, 50L, 0L, 0L, 50L);
        assertThat(data.elements()).isEqualTo(1);
        assertThat(data).hasToString("Buf of 50 bytes in Mmap of 8192 bytes on 0000:03:00.0 (mlx5_0)");
        Mirrors.assertTrue(data);
        Mirrors.assertTrue(space);
    }

    @Test
    void showsTheBytesOfItsData() {
        Buf buf = inventory.data(memory, 100, 50);
        buf.setData(10, 5);
        memory.segment().set(JAVA_BYTE, 110, (byte) 42);

        assertThat(buf.data().byteSize()).isEqualTo(5);
        assertThat(buf.data().get(JAVA_BYTE, 0)).isEqualTo((byte) 42);
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> buf.data().get(JAVA_BYTE, 5));
    }

    @Test
    void movesItsData() {
        Buf buf = inventory.data(memory, 100, 50);

        buf.setData(10, 20);

        assertThat(buf.dataOffset()).isEqualTo(10);
        assertThat(buf.dataLength()).isEqualTo(20);
        assertThat(buf.remaining()).isEqualTo(20);
        Mirrors.assertTrue(buf);

        buf.clear();

        assertThat(buf.dataOffset()).isEqualTo(10);
        assertThat(buf.dataLength()).isZero();
        assertThat(buf.remaining()).isEqualTo(40);
        Mirrors.assertTrue(buf);

        buf.setData(50, 0);
        assertThat(buf.remaining()).isZero();
        Mirrors.assertTrue(buf);
    }

    @ParameterizedTest
    @CsvSource({
        "0,51",
        "51,0",
        "50,1",
        "-1,1",
        "0,-1",
        "9223372036854775807,9223372036854775807",
        "-9223372036854775808,9223372036854775807"
    })
    void refusesDataOutsideOfItself(long offset, long length) {
        Buf buf = inventory.data(memory, 100, 50);

        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> buf.setData(offset, length))
                .withMessage("A data segment of " + length + " bytes at " + offset
                        + " is not inside of a buffer of 50 bytes");
        assertThat(buf.dataLength()).isEqualTo(50);
        Mirrors.assertTrue(buf);
    }

    @Test
    void chainsToLists() {
        Buf first = inventory.data(memory, 0, 10);
        Buf second = inventory.data(memory, 10, 20);
        Buf third = inventory.data(memory, 30, 30);
        Buf fourth = inventory.data(memory, 60, 40);
        third.append(fourth);

        assertThat(first.append(second).append(third)).isSameAs(first);

        assertThat(first.elements()).isEqualTo(4);
        BufElement list = BufImpl.list(first);
        assertThat(listDataLength(list)).isEqualTo(100);
        assertThat(list.listTailLength()).isZero();
        Mirrors.assertTrue(first);
        // Each buffer still has its own range.
        assertThat(third.offset()).isEqualTo(30);
        third.setData(5, 5);
        assertThat(listDataLength(list)).isEqualTo(75);
        assertThat(list.listTailLength()).isEqualTo(20);
        Mirrors.assertTrue(first);

        assertThat(inventory.available()).isEqualTo(4);
        first.close();
        assertThat(inventory.available()).isEqualTo(8);
        for (Buf buf : List.of(first, second, third, fourth)) {
            assertThat(buf).hasToString("Buf in Mmap of 8192 bytes on 0000:03:00.0 (mlx5_0), closed");
        }
    }

    @Test
    void isReturnedWithTheListThatItIsPartOf() {
        Buf head = inventory.data(memory, 0, 10);
        Buf tail = inventory.data(memory, 10, 10);
        head.append(tail);

        tail.close();

        assertThat(head.elements()).isEqualTo(2);
        assertThat(tail.length()).isEqualTo(10);
        assertThat(inventory.available()).isEqualTo(6);

        head.close();
        assertThat(inventory.available()).isEqualTo(8);
    }

    @Test
    void isReturnedOnceInWhateverOrderAListIsClosed() {
        try (Buf head = inventory.data(memory, 0, 10);
                Buf tail = inventory.data(memory, 10, 10)) {
            head.append(tail);
            assertThat(inventory.available()).isEqualTo(6);
        }
        assertThat(inventory.available()).isEqualTo(8);
    }

    @Test
    void refusesWhatWouldMakeTheSdkHang() {
        Buf head = inventory.data(memory, 0, 10);
        Buf tail = inventory.data(memory, 10, 10);
        Buf other = inventory.data(memory, 20, 10);
        head.append(tail);
        String middle = "A buffer in the middle of a list cannot be used by itself: use the first buffer of the list";

        assertThatIllegalArgumentException()
                .isThrownBy(() -> head.append(head))
                .withMessage("A buffer cannot be appended to itself");
        assertThatIllegalStateException().isThrownBy(() -> head.append(tail)).withMessage(middle);
        assertThatIllegalStateException().isThrownBy(() -> tail.append(head)).withMessage(middle);
        assertThatIllegalStateException().isThrownBy(() -> tail.append(other)).withMessage(middle);
        assertThatIllegalStateException().isThrownBy(() -> other.append(tail)).withMessage(middle);
        assertThatIllegalStateException().isThrownBy(tail::elements).withMessage(middle);
        assertThatIllegalStateException().isThrownBy(() -> BufImpl.list(tail)).withMessage(middle);
        assertThat(head.elements()).isEqualTo(2);
        assertThat(other.elements()).isEqualTo(1);
        Mirrors.assertTrue(head);
    }

    @Test
    void chainsWithinAnInventoryOnly() {
        try (BufInventory elsewhere = BufInventory.create(1)) {
            Buf buf = inventory.data(memory, 0, 10);
            Buf stranger = elsewhere.data(memory, 0, 10);

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> buf.append(stranger))
                    .withMessage(
                            "A buffer of BufInventory of 1 cannot be appended to one of BufInventory of 8: lists are"
                                    + " of one inventory or pool");
        }
    }

    @Test
    void isNotUsableAfterClose() {
        Buf buf = inventory.data(memory, 0, 10);
        Buf other = inventory.data(memory, 0, 10);

        buf.close();
        buf.close();

        assertRefused(
                "Buf in Mmap of 8192 bytes on 0000:03:00.0 (mlx5_0), closed cannot be used: it was returned to"
                        + " BufInventory of 8",
                buf::offset,
                buf::length,
                buf::data,
                buf::dataOffset,
                buf::dataLength,
                buf::remaining,
                buf::elements,
                buf::clear,
                () -> buf.setData(0, 1),
                () -> buf.append(other),
                () -> other.append(buf),
                () -> buf.reuseAsData(0, 1),
                () -> buf.reuseAsSpace(0, 1),
                buf::clearList,
                buf::detach,
                () -> BufImpl.list(buf));
    }

    @Test
    void staysClosedWhenItsElementIsTakenAgain() {
        Buf old = inventory.data(memory, 0, 10);
        BufElement element = BufImpl.list(old);
        old.close();
        Buf successor = inventory.data(memory, 20, 30);
        assertThat(BufImpl.list(successor)).isSameAs(element);

        old.close();

        assertThat(successor.length()).isEqualTo(30);
        assertThatIllegalStateException().isThrownBy(old::length);
        assertThatIllegalStateException().isThrownBy(() -> successor.append(old));
    }

    @Test
    void isNotChangedWhileATaskUsesIt() {
        Buf head = inventory.data(memory, 0, 10);
        Buf tail = inventory.data(memory, 10, 10);
        Buf other = inventory.data(memory, 20, 10);
        head.append(tail);
        BufImpl.list(head).acquire();

        assertRefused(
                IN_FLIGHT,
                head::clear,
                () -> head.setData(0, 1),
                () -> head.append(other),
                () -> other.append(head),
                head::clearList,
                tail::clear,
                () -> tail.setData(0, 1),
                tail::detach,
                head::close);
        tail.close();
        assertThat(head.length()).isEqualTo(10);

        BufImpl.list(head).release();
        head.close();
        assertThat(inventory.available()).isEqualTo(7);
    }

    @Test
    void growsByWhatTasksWrite() {
        Buf head = inventory.space(memory, 0, 10);
        Buf middle = inventory.data(memory, 10, 10);
        Buf tail = inventory.space(memory, 20, 10);
        head.append(middle).append(tail);

        BufImpl.list(head).grow(15);

        assertThat(head.dataLength()).isEqualTo(10);
        assertThat(middle.dataLength()).isEqualTo(10);
        assertThat(tail.dataLength()).isEqualTo(5);
        assertThat(tail.remaining()).isEqualTo(5);
    }

    @Test
    void isAimedAtOtherRanges() {
        Buf buf = inventory.data(memory, 100, 50);
        BufElement element = BufImpl.list(buf);

        assertThat(buf.reuseAsSpace(4096, 4096)).isSameAs(buf);
        assertThat(List.of(buf.offset(), buf.length(), buf.dataOffset(), buf.dataLength(), buf.remaining()))
                .containsExactly(4096L, 4096L, 0L, 0L, 4096L);
        Mirrors.assertTrue(buf);

        buf.setData(10, 20);
        assertThat(buf.reuseAsData(8000, 192)).isSameAs(buf);
        assertThat(List.of(buf.offset(), buf.length(), buf.dataOffset(), buf.dataLength(), buf.remaining()))
                .containsExactly(8000L, 192L, 0L, 192L, 0L);
        Mirrors.assertTrue(buf);

        assertThat(BufImpl.list(buf)).isSameAs(element);
        assertThat(inventory.available()).isEqualTo(7);
        Requirements.emptyBufferAtTheEnd(memory);
        assertThat(buf.reuseAsData(8192, 0).length()).isZero();
        Mirrors.assertTrue(buf);
    }

    @ParameterizedTest
    @CsvSource({
        "0,8193",
        "8193,0",
        "-1,1",
        "0,-1",
        "9223372036854775807,9223372036854775807",
        "-9223372036854775808,9223372036854775807"
    })
    void isNotAimedOutsideOfTheMemory(long offset, long length) {
        Buf buf = inventory.data(memory, 100, 50);
        String message = "A buffer of " + length + " bytes at " + offset
                + " is not inside of Mmap of 8192 bytes on 0000:03:00.0 (mlx5_0)";

        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> buf.reuseAsData(offset, length))
                .withMessage(message);
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> buf.reuseAsSpace(offset, length))
                .withMessage(message);
        assertThat(buf.offset()).isEqualTo(100);
        Mirrors.assertTrue(buf);
    }

    @Test
    void isNotAimedInAList() {
        Buf head = inventory.data(memory, 0, 10);
        Buf tail = inventory.data(memory, 10, 10);
        head.append(tail);

        assertRefused(
                "A buffer in a list of several cannot be aimed at another range",
                () -> head.reuseAsData(0, 5),
                () -> head.reuseAsSpace(0, 5),
                () -> tail.reuseAsData(0, 5),
                () -> tail.reuseAsSpace(0, 5));
        Mirrors.assertTrue(head);

        tail.detach();
        head.reuseAsData(0, 5);
        tail.reuseAsSpace(5, 5);
        Mirrors.assertTrue(head);
        Mirrors.assertTrue(tail);
    }

    @Test
    void isNotAimedWhileATaskUsesIt() {
        Buf buf = inventory.data(memory, 0, 10);
        BufImpl.list(buf).acquireAsTarget();

        assertRefused(IN_FLIGHT, () -> buf.reuseAsData(0, 5), () -> buf.reuseAsSpace(0, 5));

        BufImpl.list(buf).releaseAsTarget();
        assertThat(buf.reuseAsSpace(0, 5).length()).isEqualTo(5);
    }

    @Test
    void isNotAimedAtMemoryThatWasFreed() {
        Arena arena = Arena.ofConfined();
        try (Mmap lent = Mmap.registerUnchecked(device, arena.allocate(64), Access.LOCAL_READ_WRITE);
                Buf buf = inventory.data(lent, 0, 10)) {
            arena.close();

            assertRefused(
                    "The memory of Mmap of 64 bytes on 0000:03:00.0 (mlx5_0) was freed while it was mapped",
                    () -> buf.reuseAsData(0, 5),
                    () -> buf.reuseAsSpace(0, 5));
        }
    }

    @Test
    void isDetachedFromItsList() {
        Buf first = inventory.data(memory, 0, 10);
        Buf second = inventory.data(memory, 10, 20);
        Buf third = inventory.data(memory, 30, 30);
        Buf fourth = inventory.data(memory, 60, 40);
        first.append(second).append(third).append(fourth);

        assertThat(third.detach()).isSameAs(third);

        assertThat(first.elements()).isEqualTo(2);
        assertThat(third.elements()).isEqualTo(2);
        assertThat(listDataLength(BufImpl.list(first))).isEqualTo(30);
        assertThat(listDataLength(BufImpl.list(third))).isEqualTo(70);
        Mirrors.assertTrue(first);
        Mirrors.assertTrue(third);
        assertRefused(
                "A buffer in the middle of a list cannot be used by itself: use the first buffer of the list",
                second::elements,
                fourth::elements);

        // Both lists are intact: they can grow at their ends.
        third.append(first);
        assertThat(third.elements()).isEqualTo(4);
        Mirrors.assertTrue(third);
        assertThat(second.detach().elements()).isEqualTo(1);
        first.detach();
        fourth.detach();
        for (Buf buf : List.of(first, second, third, fourth)) {
            assertThat(buf.elements()).isEqualTo(1);
            Mirrors.assertTrue(buf);
            buf.close();
        }
        assertThat(inventory.available()).isEqualTo(8);
    }

    @Test
    void isNotDetachedFromItself() {
        Buf head = inventory.data(memory, 0, 10);
        Buf alone = inventory.data(memory, 10, 10);
        head.append(inventory.data(memory, 20, 10));

        assertRefused(
                "The first buffer of a list cannot be detached from it, only one behind it",
                head::detach,
                alone::detach);
        assertThat(head.elements()).isEqualTo(2);
        Mirrors.assertTrue(head);
    }

    @Test
    void clearsAllOfItsList() {
        Buf head = inventory.data(memory, 0, 10);
        Buf tail = inventory.data(memory, 10, 10);
        tail.setData(5, 5);
        head.append(tail);

        head.clearList();

        assertThat(listDataLength(BufImpl.list(head))).isZero();
        assertThat(BufImpl.list(head).listTailLength()).isEqualTo(15);
        Mirrors.assertTrue(head);
        assertRefused(
                "A buffer in the middle of a list cannot be used by itself: use the first buffer of the list",
                tail::clearList);
    }

    private static long listDataLength(BufElement list) {
        long total = 0;
        for (BufElement element = list; element != null; element = element.next()) {
            total += element.dataLength();
        }
        return total;
    }

    private static void assertRefused(String message, ThrowingCallable... uses) {
        for (ThrowingCallable use : uses) {
            assertThatIllegalStateException().isThrownBy(use).withMessage(message);
        }
    }
}
