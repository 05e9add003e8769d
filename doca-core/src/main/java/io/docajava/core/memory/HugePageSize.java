/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import io.docajava.ffi.internal.StackGuard;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A size of huge pages. {@link #supported()} lists the sizes of this machine.
 *
 * @param bytes a power of two, at least 1024
 */
public record HugePageSize(long bytes) implements Comparable<HugePageSize> {

    /** 2 MiB, the usual size on x86-64, and on aarch64 with ordinary pages of 4 KiB. */
    public static final HugePageSize MIB_2 = new HugePageSize(2L << 20);

    /** 1 GiB. */
    public static final HugePageSize GIB_1 = new HugePageSize(1L << 30);

    private static final String PAGES = "/sys/kernel/mm/hugepages";
    private static final String DEFAULT_PAGES = "/proc/meminfo";

    private static final long KIB = 1024;

    /**
     * Checks the size.
     *
     * @throws IllegalArgumentException if {@code bytes} is not a power of two, or less than 1024
     */
    public HugePageSize {
        if (Long.bitCount(bytes) != 1 || bytes < KIB) {
            throw new IllegalArgumentException(
                    "The size of huge pages is a power of two of at least 1024 bytes, and not " + bytes);
        }
    }

    /**
     * {@return the sizes that this machine supports, even if it has no pages of a size, the smallest first; may be empty}
     *
     * @throws HugePagesException if the system does not report them
     */
    public static List<HugePageSize> supported() {
        StackGuard.check();
        List<HugePageSize> sizes = new ArrayList<>();
        Path pages = Path.of(PAGES);
        if (Files.isDirectory(pages)) {
            try (DirectoryStream<Path> folders = Files.newDirectoryStream(pages, "hugepages-*kB")) {
                for (Path folder : folders) {
                    sizes.add(ofKibibytes(folder.getFileName().toString().replaceAll("\\D", "")));
                }
            } catch (IOException | DirectoryIteratorException e) {
                throw new HugePagesException("The sizes of the huge pages cannot be read: " + e, e);
            }
        }
        return sizes.stream().sorted().toList();
    }

    /**
     * {@return the size that the system uses by default}
     *
     * @throws HugePagesException if the system has no huge pages of any size, or does not report the size
     */
    public static HugePageSize systemDefault() {
        StackGuard.check();
        try {
            return Files.readAllLines(Path.of(DEFAULT_PAGES)).stream()
                    .filter(line -> line.startsWith("Hugepagesize:"))
                    .map(line -> ofKibibytes(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElseThrow(() -> new HugePagesException("This system has no huge pages of any size"));
        } catch (IOException e) {
            throw new HugePagesException("The default size of the huge pages cannot be read: " + e, e);
        }
    }

    private static HugePageSize ofKibibytes(String number) {
        return new HugePageSize(Long.parseLong(number) * KIB);
    }

    /**
     * {@return the number of pages of this size that the system has, used or free}
     *
     * @throws HugePagesException if the system does not report the number, for example because it does not support the size
     */
    public long total() {
        return count("nr_hugepages");
    }

    /**
     * {@return the number of pages of this size that are free and not reserved}
     *
     * @throws HugePagesException if the system does not report the number, for example because it does not support the size
     */
    public long free() {
        return Math.max(0, count("free_hugepages") - count("resv_hugepages"));
    }

    /** {@return the file in which the kernel keeps the number of pages of this size, and by which root changes it} */
    public Path totalFile() {
        StackGuard.check();
        return file("nr_hugepages");
    }

    private long count(String name) {
        StackGuard.check();
        try {
            return Long.parseLong(Files.readString(file(name)).strip());
        } catch (IOException | NumberFormatException e) {
            throw new HugePagesException("The number of huge pages of " + this + " cannot be read: " + e, e);
        }
    }

    private Path file(String name) {
        return Path.of(PAGES, "hugepages-" + bytes / KIB + "kB", name);
    }

    @Override
    public int compareTo(HugePageSize other) {
        Objects.requireNonNull(other, "other");
        return Long.compare(bytes, other.bytes);
    }

    /** Returns the size with its unit, such as {@code 2 MiB}. */
    @Override
    public String toString() {
        if (bytes % GIB_1.bytes == 0) {
            return bytes / GIB_1.bytes + " GiB";
        }
        long mebibyte = KIB * KIB;
        return bytes % mebibyte == 0 ? bytes / mebibyte + " MiB" : bytes / KIB + " KiB";
    }
}
