/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A place that libraries are opened from: folders of the file system, or the search path of the dynamic loader. */
final class LibraryPlace {

    private static final String SEARCH_PATH = "the loader's search path";

    /** Suffixes of a library's file name, the most likely first: the number is 2 in all known releases since 2.2. */
    private static final List<String> SUFFIXES = List.of(".so.2", ".so", ".so.3", ".so.1");

    private final DynamicLoader loader;
    private final Platform platform;
    private final @Nullable List<Path> folders;

    private LibraryPlace(DynamicLoader loader, Platform platform, @Nullable List<Path> folders) {
        this.loader = loader;
        this.platform = platform;
        this.folders = folders;
    }

    /** Returns a folder, and the library folders of an SDK with that root. */
    static LibraryPlace folder(DynamicLoader loader, Platform platform, Path folder) {
        return new LibraryPlace(
                loader,
                platform,
                List.of(
                        folder,
                        folder.resolve("lib").resolve(platform.multiarch()),
                        folder.resolve("lib64"),
                        folder.resolve("lib")));
    }

    /** Returns the dynamic loader's search path: its cache, its default folders and LD_LIBRARY_PATH. */
    static LibraryPlace searchPath(DynamicLoader loader, Platform platform) {
        return new LibraryPlace(loader, platform, null);
    }

    /**
     * The result of a search.
     *
     * @param library the opened library, or null
     * @param attempts the failed attempts in order, each with its reason, if none was opened
     * @param absent whether no such file exists, as opposed to an unusable one
     */
    record Found(@Nullable SharedLibrary library, List<String> attempts, boolean absent) {}

    /** Returns the attempts as part of a message, one line each. */
    static String report(List<String> attempts) {
        return attempts.stream().map(attempt -> "  " + attempt + "\n").collect(Collectors.joining());
    }

    /** Opens the first usable library with that short name. */
    Found open(String library) {
        return folders == null ? openBySoname(library) : openInFolders(library, folders);
    }

    private Found openInFolders(String library, List<Path> folders) {
        List<String> attempts = new ArrayList<>();
        boolean absent = true;
        for (Path folder : folders) {
            List<Path> files = SUFFIXES.stream()
                    .map(suffix -> folder.resolve("libdoca_" + library + suffix))
                    .filter(Files::exists)
                    .toList();
            for (Path file : files) {
                absent = false;
                Optional<String> misfit = ElfFile.misfit(file, platform);
                if (misfit.isPresent()) {
                    attempts.add(file + " " + misfit.get());
                    continue;
                }
                try {
                    return new Found(loader.open(file.toString()), List.of(), false);
                } catch (DynamicLoader.LoadFailure e) {
                    attempts.add(file + " was refused by the loader: " + e.getMessage());
                }
            }
            if (files.isEmpty() && Files.isDirectory(folder)) {
                attempts.add(folder + hasNone(library));
            }
        }
        if (attempts.isEmpty()) {
            attempts.add(folders.getFirst() + " is not a folder");
        }
        return new Found(null, attempts, absent);
    }

    private Found openBySoname(String library) {
        List<String> attempts = new ArrayList<>();
        for (String suffix : SUFFIXES) {
            String soname = "libdoca_" + library + suffix;
            try {
                return new Found(loader.open(soname), List.of(), false);
            } catch (DynamicLoader.LoadFailure e) {
                // The loader first names the file that it could not open. If that is another one, this file exists.
                // The rest of its text depends on the locale.
                if (!String.valueOf(e.getMessage()).startsWith(soname + ":")) {
                    attempts.add(SEARCH_PATH + ": " + e.getMessage());
                }
            }
        }
        // The loader reports too many open files as if the file did not exist.
        boolean absent = attempts.isEmpty() && !OpenFiles.isLimitReached();
        if (attempts.isEmpty()) {
            attempts.add(SEARCH_PATH + (absent ? hasNone(library) : " cannot be searched: too many files are open"));
        }
        return new Found(null, attempts, absent);
    }

    private static String hasNone(String library) {
        return " has no libdoca_" + library + ".so.2, .so, .so.3 or .so.1";
    }
}
