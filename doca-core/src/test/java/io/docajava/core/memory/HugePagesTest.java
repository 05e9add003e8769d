/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.testing.OpenHandles;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests huge pages without changing the machine's configuration. Each test passes with and without huge pages. */
@ExtendWith(OpenHandles.class)
class HugePagesTest {

    private Device device;

    @BeforeEach
    void open() {
        device = Device.open(DeviceFilter.any());
    }

    @AfterEach
    void close() {
        device.close();
    }

    @Test
    void allocatesWhatThereIsAndSaysWhatIsMissing() throws IOException {
        for (HugePageSize size : HugePageSize.supported()) {
            if (size.free() > 0) {
                assertAllocated(size);
            }
            assertRefused(size, size.free() + surplus(size) + 1);
        }
    }

    private void assertAllocated(HugePageSize size) {
        long before = size.free();
        Mmap map = Mmap.builder().device(device).hugePages(size).allocate(5000);
        MemorySegment segment = map.segment();

        assertThat(size.free()).isEqualTo(before - 1);
        assertThat(map.byteSize()).isEqualTo(5000);
        assertThat(segment.byteSize()).isEqualTo(5000);
        assertThat(segment.address() % size.bytes()).isZero();
        assertThat(segment.toArray(JAVA_BYTE)).containsOnly(0);
        segment.fill((byte) 42);
        map.close();

        assertThat(size.free()).isEqualTo(before);
        assertThatIllegalStateException()
                .isThrownBy(() -> segment.get(JAVA_BYTE, 0))
                .withMessage("Already closed");
    }

    /** Returns the number of pages that the system creates on demand. */
    private static long surplus(HugePageSize size) throws IOException {
        return Long.parseLong(Files.readString(size.totalFile().resolveSibling("nr_overcommit_hugepages"))
                .strip());
    }

    private void assertRefused(HugePageSize size, long pages) {
        long bytes = pages * size.bytes() - 1;
        long free = size.free();
        long total = size.total();
        long wanted = total + pages - free;

        assertThatExceptionOfType(HugePagesException.class)
                .isThrownBy(() -> Mmap.builder().device(device).hugePages(size).allocate(bytes))
                .withMessage("There are not enough huge pages of " + size + " for an Mmap of " + bytes
                        + " bytes, which takes " + pages + ": " + free + " of " + total
                        + " are free; root makes more by "
                        + (size.equals(HugePageSize.systemDefault())
                                ? "sysctl vm.nr_hugepages=" + wanted
                                : "writing " + wanted + " to /sys/kernel/mm/hugepages/hugepages-" + size.bytes() / 1024
                                        + "kB/nr_hugepages"));
    }

    @Test
    void usesTheDefaultSizeWhereNoneIsAskedFor() throws IOException {
        assumeFalse(HugePageSize.supported().isEmpty(), "This machine has no huge pages");
        HugePageSize size = HugePageSize.systemDefault();
        assertThat(HugePageSize.supported()).contains(size);
        long tooMany = (size.free() + surplus(size) + 1) * size.bytes();

        assertThatExceptionOfType(HugePagesException.class)
                .isThrownBy(() -> Mmap.builder().device(device).hugePages().allocate(tooMany))
                .withMessageStartingWith("There are not enough huge pages of " + size + " for an Mmap of ");
    }

    @Test
    void interruptedThreadsReadTheSizes() {
        assumeFalse(HugePageSize.supported().isEmpty(), "This machine has no huge pages");
        List<HugePageSize> sizes = HugePageSize.supported();
        HugePageSize size = HugePageSize.systemDefault();
        long total = size.total();
        Thread.currentThread().interrupt();
        try {
            assertThat(HugePageSize.supported()).isEqualTo(sizes);
            assertThat(HugePageSize.systemDefault()).isEqualTo(size);
            assertThat(size.total()).isEqualTo(total);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void namesTheSizesThatTheMachineHas() {
        HugePageSize strange = new HugePageSize(1L << 40);
        List<HugePageSize> supported = HugePageSize.supported();

        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> Mmap.builder().device(device).hugePages(strange).allocate(1))
                .withMessage("This machine has no huge pages of 1024 GiB, but "
                        + (supported.isEmpty()
                                ? "none"
                                : supported.stream()
                                        .map(HugePageSize::toString)
                                        .collect(Collectors.joining(" and ", "of ", ""))));
    }

    @Test
    void refusesMoreThanThereCanBe() {
        assumeTrue(HugePageSize.supported().contains(HugePageSize.MIB_2), "This machine has no huge pages of 2 MiB");

        assertThatExceptionOfType(HugePagesException.class)
                .isThrownBy(() -> Mmap.builder()
                        .device(device)
                        .hugePages(HugePageSize.MIB_2)
                        .allocate(Long.MAX_VALUE))
                .withMessageMatching(
                        "There are not enough huge pages of 2 MiB for an Mmap of 9223372036854775807 bytes,"
                                + " which takes 4398046511104: \\d+ of \\d+ are free; no address space has so many");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 512, 3 << 20, Long.MIN_VALUE})
    void hasSizesThatArePowersOfTwo(long bytes) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new HugePageSize(bytes))
                .withMessage("The size of huge pages is a power of two of at least 1024 bytes, and not " + bytes);
    }

    @ParameterizedTest
    @CsvSource({"65536, 64 KiB", "2097152, 2 MiB", "536870912, 512 MiB", "1073741824, 1 GiB", "17179869184, 16 GiB"})
    void hasSizesAsPeopleWriteThem(long bytes, String text) {
        assertThat(new HugePageSize(bytes)).hasToString(text);
    }
}
