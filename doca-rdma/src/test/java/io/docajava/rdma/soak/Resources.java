/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.soak;

import io.docajava.core.internal.lifecycle.Resource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What this process has.
 *
 * @param sharedFiles open files in memory that processes share
 * @param sharedMaps and their parts that are mapped
 * @param files all open files
 * @param maps all that is mapped
 * @param objects native objects that Java knows of
 * @param residentMiB its memory
 */
record Resources(long sharedFiles, long sharedMaps, long files, long maps, long objects, long residentMiB) {

    private static final String IN_MEMORY = "/memfd:";

    static Resources now() throws IOException {
        long sharedFiles = 0;
        long files = 0;
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            for (Path file : open.toList()) {
                files++;
                sharedFiles += isShared(file) ? 1 : 0;
            }
        }
        long sharedMaps = 0;
        long maps = 0;
        for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
            maps++;
            sharedMaps += line.contains(IN_MEMORY) ? 1 : 0;
        }
        String pages = Files.readString(Path.of("/proc/self/statm")).split(" ", -1)[1];
        return new Resources(
                sharedFiles, sharedMaps, files, maps, Resource.allOpen().size(), Long.parseLong(pages) >> 8);
    }

    private static boolean isShared(Path file) throws IOException {
        try {
            return Files.readSymbolicLink(file).toString().startsWith(IN_MEMORY);
        } catch (NoSuchFileException e) {
            // That of the list itself.
            return false;
        }
    }

    /** Whether there is no more than there was, but for what the virtual machine itself comes to have. */
    boolean isAsSmallAs(Resources before) {
        return sharedFiles <= before.sharedFiles
                && sharedMaps <= before.sharedMaps
                && objects <= before.objects
                && files <= before.files + 4
                && maps <= before.maps + 100
                && residentMiB <= before.residentMiB + 256;
    }

    String toLine() {
        return sharedFiles + "," + sharedMaps + "," + files + "," + maps + "," + objects + "," + residentMiB;
    }

    static Resources ofLine(String line) {
        String[] numbers = line.split(",", -1);
        return new Resources(
                Long.parseLong(numbers[0]),
                Long.parseLong(numbers[1]),
                Long.parseLong(numbers[2]),
                Long.parseLong(numbers[3]),
                Long.parseLong(numbers[4]),
                Long.parseLong(numbers[5]));
    }
}
