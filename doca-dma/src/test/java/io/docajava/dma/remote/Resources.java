/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.remote;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * The resources of this process, as the system counts them.
 *
 * @param descriptors open files
 * @param threads threads of Java and of native code
 * @param files mapped files
 * @param resident memory in bytes
 */
record Resources(long descriptors, long threads, long files, long resident) {

    private static final Path PROCESS = Path.of("/proc/self");

    static Resources now() throws IOException {
        return new Resources(entries("fd"), entries("task"), mappedFiles(), residentPages() * 4096);
    }

    static Resources parse(String text) {
        long[] numbers =
                Arrays.stream(text.split(" ", -1)).mapToLong(Long::parseLong).toArray();
        return new Resources(numbers[0], numbers[1], numbers[2], numbers[3]);
    }

    String print() {
        return descriptors + " " + threads + " " + files + " " + resident;
    }

    private static long entries(String folder) throws IOException {
        try (Stream<Path> entries = Files.list(PROCESS.resolve(folder))) {
            return entries.count();
        }
    }

    private static long mappedFiles() throws IOException {
        try (Stream<String> lines = Files.lines(PROCESS.resolve("maps"))) {
            return lines.filter(line -> line.contains("/")).count();
        }
    }

    private static long residentPages() throws IOException {
        return Long.parseLong(Files.readString(PROCESS.resolve("statm")).split(" ", -1)[1]);
    }
}
