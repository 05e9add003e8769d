/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.testing;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The classes of this process in folders. */
public final class FolderClasses {

    private FolderClasses() {}

    /** Loads all of them, without initializing them: the JVM would need a file descriptor for each of them later. */
    public static void load(ClassLoader loader) throws IOException {
        // Searches all jars, which opens them.
        loader.getResource("none");
        String path = System.getProperty("java.class.path", "")
                + File.pathSeparator
                + System.getProperty("jdk.module.path", "");
        for (String entry : path.split(File.pathSeparator, -1)) {
            Path folder = Path.of(entry);
            if (!entry.isEmpty() && Files.isDirectory(folder)) {
                try (Stream<Path> files = Files.walk(folder)) {
                    files.filter(file -> file.toString().endsWith(".class"))
                            .forEach(file -> load(folder.relativize(file).toString(), loader));
                }
            }
        }
    }

    private static void load(String file, ClassLoader loader) {
        String name = file.substring(0, file.length() - ".class".length()).replace(File.separatorChar, '.');
        try {
            Class.forName(name, false, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            // A description of a module, or a class that needs a library that is not there.
        }
    }
}
