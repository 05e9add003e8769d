/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.doctor;

import io.docajava.core.doctor.MachineReport.HugePages;
import io.docajava.core.doctor.MachineReport.LockedMemory;
import io.docajava.core.memory.HugePageSize;
import io.docajava.core.memory.HugePagesException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Facts about this process and the system, as Linux reports them. A limit that it does not report is taken to be no limit, and no
 * pages.
 */
final class Linux {

    private static final String LOCKED = "Max locked memory";
    private static final String CAPABILITIES = "CapEff:";
    private static final int CAP_IPC_LOCK = 14;

    private Linux() {}

    static LockedMemory lockedMemory() {
        return lockedMemory(Path.of("/proc/self"));
    }

    /** Of the process whose folder in /proc this is. */
    static LockedMemory lockedMemory(Path process) {
        OptionalLong limit = value(process.resolve("limits"), LOCKED)
                .map(values -> values.split(" +", 2)[0])
                .map(value -> number(value, 10))
                .orElseGet(OptionalLong::empty);
        boolean privileged = value(process.resolve("status"), CAPABILITIES)
                .map(value -> number(value, 16))
                .orElseGet(OptionalLong::empty)
                .stream()
                .anyMatch(capabilities -> ((capabilities >> CAP_IPC_LOCK) & 1) != 0);
        return new LockedMemory(limit.stream().filter(bytes -> bytes >= 0).findFirst(), privileged);
    }

    /** An unsigned number of 64 bits. A limit that is no such number is none: it is called "unlimited". */
    private static OptionalLong number(String value, int radix) {
        try {
            return OptionalLong.of(Long.parseUnsignedLong(value, radix));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    private static Optional<String> value(Path file, String name) {
        // The name of a process, which is in one of the files, may have any bytes.
        try (var lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(name.length()).strip())
                    .findFirst();
        } catch (IOException | UncheckedIOException e) {
            return Optional.empty();
        }
    }

    static List<HugePages> hugePages() {
        try {
            return HugePageSize.supported().stream()
                    .map(size -> new HugePages(size, size.total(), size.free()))
                    .toList();
        } catch (HugePagesException e) {
            return List.of();
        }
    }
}
