/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.doctor;

import io.docajava.core.doctor.MachineReport.HugePages;
import io.docajava.core.doctor.MachineReport.LockedMemory;
import io.docajava.core.memory.HugePageSize;
import io.docajava.core.memory.HugePagesException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Facts about this process and the system, as Linux reports them. If Linux does not report a limit, there is none. */
final class Linux {

    private static final String LOCKED = "Max locked memory";
    private static final String CAPABILITIES = "CapEff:";
    private static final int CAP_IPC_LOCK = 14;

    private Linux() {}

    static LockedMemory lockedMemory() {
        return lockedMemory(Path.of("/proc/self"));
    }

    /** Reads the limit of the process with this folder in /proc. */
    static LockedMemory lockedMemory(Path process) {
        OptionalLong limit = value(process.resolve("limits"), LOCKED)
                .flatMapToLong(values -> number(values.split(" +", 2)[0], 10))
                .filter(bytes -> bytes >= 0)
                .findFirst();
        boolean privileged = value(process.resolve("status"), CAPABILITIES)
                .flatMapToLong(value -> number(value, 16))
                .anyMatch(capabilities -> ((capabilities >> CAP_IPC_LOCK) & 1) != 0);
        return new LockedMemory(limit, privileged);
    }

    /** Parses an unsigned number of 64 bits. Any other text, such as "unlimited", is no limit. */
    private static LongStream number(String value, int radix) {
        try {
            return LongStream.of(Long.parseUnsignedLong(value, radix));
        } catch (NumberFormatException e) {
            return LongStream.empty();
        }
    }

    private static Stream<String> value(Path file, String name) {
        // One of the files contains the name of the process, which may have any bytes.
        try {
            return Files.readAllLines(file, StandardCharsets.ISO_8859_1).stream()
                    .filter(line -> line.startsWith(name))
                    .map(line -> line.substring(name.length()).strip())
                    .limit(1);
        } catch (IOException e) {
            return Stream.empty();
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
