/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Finds the public types of modules. */
public final class PublicApi {

    private PublicApi() {}

    /**
     * Returns the public types of the exported packages of modules on the class path, without initializing them, in a fixed
     * order.
     */
    public static List<Class<?>> types(List<String> modules) throws Exception {
        ClassLoader loader = PublicApi.class.getClassLoader();
        Set<String> missing = new TreeSet<>(modules);
        Set<String> names = new TreeSet<>();
        for (URL info : Collections.list(loader.getResources("module-info.class"))) {
            ModuleDescriptor module;
            try (InputStream bytes = info.openStream()) {
                module = ModuleDescriptor.read(bytes);
            }
            if (missing.remove(module.name())) {
                for (ModuleDescriptor.Exports exported : module.exports()) {
                    if (!exported.isQualified()) {
                        names.addAll(classesOf(exported.source(), info.toURI()));
                    }
                }
            }
        }
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException("Not on the class path: " + missing);
        }
        List<Class<?>> types = new ArrayList<>();
        for (String name : names) {
            Class<?> type = Class.forName(name, false, loader);
            if (isPublic(type)) {
                types.add(type);
            }
        }
        return types;
    }

    private static List<String> classesOf(String packageName, URI info) throws IOException {
        if (info.getScheme().equals("jar")) {
            try (FileSystem jar = FileSystems.newFileSystem(info, Map.of())) {
                return classesIn(packageName, jar.getPath("/"));
            }
        }
        return classesIn(packageName, Path.of(info).resolveSibling(""));
    }

    private static List<String> classesIn(String packageName, Path root) throws IOException {
        try (Stream<Path> files = Files.list(root.resolve(packageName.replace('.', '/')))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".class") && !file.equals("package-info.class"))
                    .map(file -> packageName + "." + file.substring(0, file.length() - ".class".length()))
                    .sorted()
                    .toList();
        }
    }

    private static boolean isPublic(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        return Modifier.isPublic(type.getModifiers()) && !type.isSynthetic() && (outer == null || isPublic(outer));
    }
}
