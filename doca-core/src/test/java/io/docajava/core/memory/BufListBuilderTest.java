/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.docajava.DocaException;
import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.BufImpl;
import io.docajava.core.internal.memory.ListBuilderImpl;
import io.docajava.core.internal.memory.MmapImpl;
import io.docajava.core.testing.OpenHandles;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.testing.NeedsEmulator;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(OpenHandles.class)
class BufListBuilderTest {

    private static final String MAP = "Mmap of 8192 bytes on 0000:03:00.0 (mlx5_0)";

    private Device device;
    private Mmap memory;
    private Mmap other;
    private BufInventory inventory;

    @BeforeEach
    void open() {
        device = Device.open(DeviceFilter.any());
        memory = Mmap.allocate(device, 8192, Access.LOCAL_READ_WRITE);
        other = Mmap.allocate(device, 100, Access.LOCAL_READ_WRITE);
        inventory = BufInventory.create(8);
    }

    @AfterEach
    void close() {
        inventory.close();
        other.close();
        memory.close();
        device.close();
    }

    @Test
    void chainsRangesOfSeveralMapsInOrder() {
        Buf list = inventory
                .list()
                .data(memory, 4096, 100)
                .data(other, 0, 100)
                .space(memory, 0, 50)
                .build();

        assertThat(list.elements()).isEqualTo(3);
        assertThat(list.memory()).isSameAs(memory);
        assertThat(places(list))
                .containsExactly(
                        new Place(memory, 4096, 100, 100), new Place(other, 0, 100, 100), new Place(memory, 0, 50, 0));
        assertThat(inventory.available()).isEqualTo(5);
        Mirrors.assertTrue(list);

        list.close();
        assertThat(inventory.available()).isEqualTo(8);
    }

    @Test
    void takesNothingBeforeItBuildsAndBuildsAgain() {
        BufListBuilder builder = inventory.list().data(memory, 0, 10).space(memory, 10, 10);
        assertThat(inventory.available()).isEqualTo(8);

        Buf one = builder.build();
        Buf two = builder.data(memory, 20, 10).build();

        assertThat(one.elements()).isEqualTo(2);
        assertThat(two.elements()).isEqualTo(3);
        assertThat(inventory.available()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({
        "10,1,10",
        "10,2,5;5",
        "10,3,4;3;3",
        "10,4,4;2;2;2",
        "8,8,1;1;1;1;1;1;1;1",
        "7,5,3;1;1;1;1",
        "8192,1,8192"
    })
    void splitsRanges(long length, int parts, String sizes) {
        Buf data = inventory.list().splitData(memory, 0, length, parts).build();
        assertSplit(data, sizes, true);
        data.close();

        Buf space = inventory.list().splitSpace(memory, 0, length, parts).build();
        assertSplit(space, sizes, false);
    }

    private void assertSplit(Buf list, String sizes, boolean isData) {
        List<Place> expected = new ArrayList<>();
        long offset = 0;
        for (String size : sizes.split(";", -1)) {
            long length = Long.parseLong(size);
            expected.add(new Place(memory, offset, length, isData ? length : 0));
            offset += length;
        }
        assertThat(places(list)).isEqualTo(expected);
        Mirrors.assertTrue(list);
    }

    @Test
    void splitsBesideOtherRanges() {
        Buf list = inventory
                .list()
                .data(other, 0, 1)
                .splitData(memory, 100, 9, 2)
                .data(other, 99, 1)
                .build();

        assertThat(places(list))
                .containsExactly(
                        new Place(other, 0, 1, 1),
                        new Place(memory, 100, 5, 5),
                        new Place(memory, 105, 4, 4),
                        new Place(other, 99, 1, 1));
    }

    @ParameterizedTest
    @CsvSource({"0,8193", "8192,1", "-1,1", "0,-1", "9223372036854775807,1", "1,9223372036854775807"})
    void namesTheElementThatIsOutsideOfItsMap(long offset, long length) {
        BufListBuilder builder = inventory.list().data(memory, 0, 10);
        String range = length + " bytes at " + offset + ", is not inside of " + MAP;

        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> builder.data(memory, offset, length))
                .withMessage("Element 2 of a list, " + range);
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> builder.space(memory, offset, length))
                .withMessage("Element 2 of a list, " + range);
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> builder.splitData(memory, offset, length, 1))
                .withMessage("A range to be split, " + range);
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> builder.splitSpace(memory, offset, length, 1))
                .withMessage("A range to be split, " + range);
        assertThat(builder.build().elements()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"10,0", "10,-1", "5,6", "0,1", "100,9", "8192,2147483647", "10,-2147483648"})
    void splitsIntoNoEmptyPartsAndNoMoreThanThereCanBe(long length, int parts) {
        String message = "A range of " + length + " bytes cannot be split into " + parts
                + " buffers of BufInventory of 8, each of at least 1 byte";

        assertThatIllegalArgumentException()
                .isThrownBy(() -> inventory.list().splitData(memory, 0, length, parts))
                .withMessage(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> inventory.list().splitSpace(memory, 0, length, parts))
                .withMessage(message);
    }

    @Test
    void isNotEmpty() {
        assertThatIllegalStateException()
                .isThrownBy(() -> inventory.list().build())
                .withMessage("A list has at least 1 element");
    }

    @Test
    void givesBackWhatItTookWhenTheInventoryIsExhausted() {
        inventory.list().splitData(memory, 0, 6, 6).build();
        BufListBuilder builder = inventory.list().splitData(memory, 0, 4, 4);

        assertThatExceptionOfType(ResourceExhaustedException.class)
                .isThrownBy(builder::build)
                .withMessage("Element 3 of a list of 4 cannot be taken: BufInventory of 8 is exhausted: all 8 buffers"
                        + " are taken; close one whose operation has completed, or create a larger one");

        assertThat(inventory.available()).isEqualTo(2);
        Buf list = inventory.list().splitData(memory, 0, 2, 2).build();
        Mirrors.assertTrue(list);
    }

    @Test
    void givesBackWhatItTookWhenAMapIsClosed() {
        Mmap gone = Mmap.allocate(device, 64, Access.LOCAL_READ_WRITE);
        BufListBuilder builder =
                inventory.list().data(memory, 0, 10).data(other, 0, 10).data(gone, 0, 10);
        gone.close();

        assertThatIllegalStateException()
                .isThrownBy(builder::build)
                .withMessage("Element 3 of a list of 3 cannot be taken: Mmap of 64 bytes on 0000:03:00.0 (mlx5_0) is"
                        + " closed");

        assertThat(inventory.available()).isEqualTo(8);
    }

    @Test
    @NeedsEmulator
    void givesBackWhatItTookWhenTheSdkRefuses() {
        // Stops the native map without the Java object, as a bug in doca-java would.
        MemorySegment map = MemorySegment.ofAddress(MmapImpl.state(other).pointer());
        assertThat(DocaCommon.doca_mmap_stop(map)).isZero();
        BufListBuilder builder = inventory.list().data(memory, 0, 10).data(other, 0, 10);

        assertThatExceptionOfType(DocaCallException.class)
                .isThrownBy(builder::build)
                .withMessageMatching("Element 2 of a list of 2 cannot be taken: Taking a buffer of BufInventory of 8:"
                        + " doca_buf_inventory_buf_get_by_args failed with DOCA_ERROR_BAD_STATE \\(Bad State\\): .*")
                .satisfies(refused -> {
                    assertThat(refused.error()).isEqualTo(DocaError.BAD_STATE);
                    assertThat(refused.function()).isEqualTo("doca_buf_inventory_buf_get_by_args");
                    assertThat(refused).hasNoCause();
                });

        assertThat(inventory.available()).isEqualTo(8);
    }

    @Test
    void keepsTheKindOfAFailureAndItsCause() {
        IOException cause = new IOException("lost");
        DocaException failure = new DocaException("The SDK contradicts itself", cause);
        failure.addSuppressed(new IllegalStateException("second"));

        RuntimeException named = ListBuilderImpl.named("Element 1 of a list of 2", failure);

        assertThat(named)
                .isExactlyInstanceOf(DocaException.class)
                .hasMessage("Element 1 of a list of 2 cannot be taken: The SDK contradicts itself")
                .hasCause(cause);
        assertThat(named.getSuppressed()).containsExactly(failure.getSuppressed());
    }

    private record Place(Mmap memory, long offset, long length, long dataLength) {}

    private List<Place> places(Buf list) {
        List<Place> places = new ArrayList<>();
        for (BufElement element = BufImpl.list(list); element != null; element = element.next()) {
            Mmap map = element.map() == MmapImpl.state(other) ? other : memory;
            assertThat(element.map()).isSameAs(MmapImpl.state(map));
            places.add(new Place(map, element.head() - element.map().base(), element.length(), element.dataLength()));
        }
        return places;
    }
}
