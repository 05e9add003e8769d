/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.junit;

import java.net.URI;
import java.nio.file.Path;
import java.util.Objects;

/** Locates classes, including those that patch a module, such as tests, whose code source would be the module. */
final class ClassRoots {

    private ClassRoots() {}

    /** Returns the folder or jar that a class is in. */
    static Path of(Class<?> type) {
        String file = "/" + type.getName().replace('.', '/') + ".class";
        String location = Objects.requireNonNull(
                        type.getResource(file.substring(file.lastIndexOf('/') + 1)), type.getName())
                .toString();
        String root = location.substring(0, location.length() - file.length());
        return Path.of(URI.create(root.startsWith("jar:") ? root.substring("jar:".length(), root.length() - 1) : root));
    }
}
