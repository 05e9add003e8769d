/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.soak;

import io.docajava.core.internal.lifecycle.Resource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The resources of this process.
 *
 * @param sharedFiles open files in shared memory
 * @param sharedMaps mapped parts of files in shared memory
 * @param files all open files
 * @param maps all mapped ranges
 * @param objects native objects that Java knows of
 * @param residentMiB resident memory in MiB
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
            // This descriptor belongs to the directory listing itself.
            return false;
        }
    }

    /** Returns whether the resources have not grown, apart from the growth of the virtual machine itself. */
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
