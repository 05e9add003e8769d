/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.ffi.DocaLibrary;
import io.docajava.junit.PeerJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A copy of the emulator's libraries in which some functions are missing or behave differently, as in other releases.
 * A separate JVM loads them.
 */
final class AlteredSdk {

    private final Path folder;
    /** The end of the names of the libraries. */
    private final String suffix;

    AlteredSdk(Path folder) throws IOException {
        this(folder, current(), "common", "dma", "rdma", "comch");
    }

    /** Copies libraries from the folder of a libdoca_common. */
    AlteredSdk(Path folder, Path common, String... libraries) throws IOException {
        this.folder = folder;
        suffix = common.toString().replaceFirst(".*/libdoca_common", "");
        for (String name : libraries) {
            Files.copy(common.resolveSibling(file(name)), folder.resolve(file(name)));
        }
    }

    private static Path current() {
        // Older releases do not have the functions that are altered here.
        Requirements.function("doca_task_submit_ex");
        return Path.of(DocaLibrary.load().libraryPath("common"));
    }

    /** Removes a function, as in a release that does not have it yet. */
    AlteredSdk without(String library, String function) throws IOException {
        rename(folder.resolve(file(library)), function);
        return this;
    }

    /** Puts a library of C source text in front of an SDK library, which it finds with {@code RTLD_NEXT}. */
    AlteredSdk inFrontOf(String library, String source) throws IOException, InterruptedException {
        Path front = folder.resolve(file(library));
        Path real = folder.resolve(renamed(file(library)));
        rename(front, file(library));
        Files.move(front, real);
        Path text = Files.writeString(folder.resolve(library + ".c"), source);
        Process gcc = new ProcessBuilder(
                        "gcc",
                        "-std=gnu11",
                        "-Wall",
                        "-Wextra",
                        "-Werror",
                        "-shared",
                        "-fPIC",
                        "-Wl,--no-as-needed,-rpath,$ORIGIN,-soname," + file(library),
                        "-o",
                        front.toString(),
                        text.toString(),
                        real.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(gcc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (gcc.waitFor() != 0) {
            throw new AssertionError("gcc failed:\n" + output);
        }
        return this;
    }

    /**
     * Runs the main method of a class with these libraries and returns its output. The process must succeed.
     *
     * @param options more options of the JVM
     */
    List<String> run(Class<?> main, String... options) throws IOException, InterruptedException {
        PeerJvm peer = PeerJvm.create()
                .options(options)
                .options("-Ddoca.library.path=" + folder)
                .without("logback")
                .start(main);
        if (peer.await() != 0) {
            throw new AssertionError(main.getName() + " failed:\n" + peer.output());
        }
        return peer.output().lines().toList();
    }

    private String file(String library) {
        return "libdoca_" + library + suffix;
    }

    private static String renamed(String name) {
        return "X" + name.substring(1);
    }

    /** Changes the first letter of a name that ends with a zero byte: a name may be the end of a longer one. */
    private static void rename(Path file, String name) throws IOException {
        String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
        String altered = bytes.replace(name + "\0", renamed(name) + "\0");
        if (altered.equals(bytes)) {
            throw new AssertionError(file + " has no name " + name);
        }
        Files.writeString(file, altered, StandardCharsets.ISO_8859_1);
    }
}
