/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The amount of memory that a process may lock, as Linux reports it. If Linux does not report a limit, there is none.
 *
 * @param bytes the limit ({@code RLIMIT_MEMLOCK}); empty if there is none
 * @param privileged whether the process may exceed the limit ({@code CAP_IPC_LOCK} in the user namespace of the machine)
 */
public record LockLimit(OptionalLong bytes, boolean privileged) {

    /** The ways to raise the limit, as the end of a sentence. */
    public static final String REMEDY =
            "\"ulimit -l unlimited\" in the shell, LimitMEMLOCK=infinity in a systemd unit, or"
                    + " --ulimit memlock=-1 for a container";

    private static final String LOCKED = "Max locked memory";
    private static final String CAPABILITIES = "CapEff:";
    private static final int CAP_IPC_LOCK = 14;
    private static final String ALL_USERS = "0 0 4294967295";

    /** Reads the limit of the process with this folder in /proc. */
    public static LockLimit of(Path process) {
        OptionalLong limit = value(process.resolve("limits"), LOCKED)
                .flatMapToLong(values -> number(values.split(" +", 2)[0], 10))
                .filter(bytes -> bytes >= 0)
                .findFirst();
        boolean privileged = value(process.resolve("status"), CAPABILITIES)
                .flatMapToLong(value -> number(value, 16))
                .anyMatch(capabilities -> ((capabilities >> CAP_IPC_LOCK) & 1) != 0);
        return new LockLimit(limit, privileged && isInInitialNamespace(process));
    }

    /** Reads the limit of this process. */
    public static LockLimit ofThisProcess() {
        return of(Path.of("/proc/self"));
    }

    /** Returns whether the process may lock an amount of memory. Memory that is already locked is not subtracted. */
    public boolean allows(long amount) {
        return privileged || bytes.isEmpty() || bytes.getAsLong() >= amount;
    }

    /**
     * Returns whether a process is in the user namespace of the machine. The kernel ignores {@code CAP_IPC_LOCK} of other
     * namespaces, such as those of rootless containers. Only the first one maps all user ids to themselves. A kernel
     * without user namespaces does not have the file.
     */
    private static boolean isInInitialNamespace(Path process) {
        try {
            String map = Files.readString(process.resolve("uid_map"), StandardCharsets.ISO_8859_1);
            return map.strip().replaceAll("\\s+", " ").equals(ALL_USERS);
        } catch (NoSuchFileException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
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
}
