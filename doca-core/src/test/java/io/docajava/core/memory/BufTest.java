/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.internal.Handles;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.testing.OpenHandles;
import io.docajava.ffi.hot.BufCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
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
        assertMirrors(data);
        assertMirrors(space);
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
        assertMirrors(buf);

        buf.clear();

        assertThat(buf.dataOffset()).isEqualTo(10);
        assertThat(buf.dataLength()).isZero();
        assertThat(buf.remaining()).isEqualTo(40);
        assertMirrors(buf);

        buf.setData(50, 0);
        assertThat(buf.remaining()).isZero();
        assertMirrors(buf);
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
        assertMirrors(buf);
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
        BufElement list = Handles.list(first);
        assertThat(list.listDataLength()).isEqualTo(100);
        assertThat(list.listTailLength()).isZero();
        assertMirrors(first);
        // Each has its own range still.
        assertThat(third.offset()).isEqualTo(30);
        third.setData(5, 5);
        assertThat(list.listDataLength()).isEqualTo(75);
        assertThat(list.listTailLength()).isEqualTo(20);
        assertMirrors(first);

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
        assertThatIllegalStateException().isThrownBy(() -> Handles.list(tail)).withMessage(middle);
        assertThat(head.elements()).isEqualTo(2);
        assertThat(other.elements()).isEqualTo(1);
        assertMirrors(head);
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
                                    + " of one inventory");
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
                () -> Handles.list(buf));
    }

    @Test
    void staysClosedWhenItsElementIsTakenAgain() {
        Buf old = inventory.data(memory, 0, 10);
        BufElement element = Handles.list(old);
        old.close();
        Buf successor = inventory.data(memory, 20, 30);
        assertThat(Handles.list(successor)).isSameAs(element);

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
        Handles.list(head).acquire();

        assertRefused(
                IN_FLIGHT,
                head::clear,
                () -> head.setData(0, 1),
                () -> head.append(other),
                () -> other.append(head),
                tail::clear,
                () -> tail.setData(0, 1),
                head::close);
        tail.close();
        assertThat(head.length()).isEqualTo(10);

        Handles.list(head).release();
        head.close();
        assertThat(inventory.available()).isEqualTo(7);
    }

    @Test
    void growsByWhatTasksWrite() {
        Buf head = inventory.space(memory, 0, 10);
        Buf middle = inventory.data(memory, 10, 10);
        Buf tail = inventory.space(memory, 20, 10);
        head.append(middle).append(tail);

        Handles.list(head).grow(15);

        assertThat(head.dataLength()).isEqualTo(10);
        assertThat(middle.dataLength()).isEqualTo(10);
        assertThat(tail.dataLength()).isEqualTo(5);
        assertThat(tail.remaining()).isEqualTo(5);
    }

    private static void assertRefused(String message, ThrowingCallable... uses) {
        for (ThrowingCallable use : uses) {
            assertThatIllegalStateException().isThrownBy(use).withMessage(message);
        }
    }

    /** What Java believes of a list is what the SDK has. */
    private static void assertMirrors(Buf buf) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            for (BufElement element = Handles.list(buf); element != null; element = element.next()) {
                assertThat(BufCalls.head(element.pointer(), out.address())).isZero();
                assertThat(element.head()).isEqualTo(out.get(JAVA_LONG, 0));
                assertThat(BufCalls.length(element.pointer(), out.address())).isZero();
                assertThat(element.length()).isEqualTo(out.get(JAVA_LONG, 0));
                assertThat(BufCalls.data(element.pointer(), out.address())).isZero();
                assertThat(element.data()).isEqualTo(out.get(JAVA_LONG, 0));
                assertThat(BufCalls.dataLength(element.pointer(), out.address()))
                        .isZero();
                assertThat(element.dataLength()).isEqualTo(out.get(JAVA_LONG, 0));
            }
        }
    }
}
