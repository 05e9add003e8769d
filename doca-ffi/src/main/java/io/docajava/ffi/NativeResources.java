/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi;

import io.docajava.ffi.argument.Elements;
import io.docajava.ffi.internal.ResourceUnpacker;
import io.docajava.ffi.internal.StackGuard;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Unpacks the native libraries of jars, because the dynamic loader reads only files. Any thread may call all methods. */
public final class NativeResources {

    private NativeResources() {}

    /**
     * Unpacks files for this machine's architecture. Only the user can access their folder. Later JVMs reuse the files: an existing
     * file is compared with the jar, and replaced if it differs. Each release has its own folder. Several JVMs may unpack at the
     * same time.
     *
     * <p>If the system property {@code doca.native.directory} names the parent of the folder, no other parent is tried. Without it,
     * the parent is {@code $XDG_CACHE_HOME/doca-java}, by default {@code ~/.cache/doca-java}. If that is full, read-only, owned by
     * another user, or on a file system mounted with {@code noexec}, the parent is {@code doca-java-<user id>} in {@code
     * java.io.tmpdir}.
     *
     * @param owner a class of the jar that has the files, as {@code META-INF/native/linux-<architecture>/<name>}
     * @param names of the files, without folders
     * @return the folder that has all these files
     * @throws IOException if the jar lacks a file, or no folder can be used; the message names each folder and the reason
     * @throws DocaLibraryException if DOCA does not exist for this architecture
     */
    public static Path unpack(Class<?> owner, List<String> names) throws IOException {
        return unpack(owner, "", names);
    }

    /**
     * Unpacks files of a subfolder, as {@link #unpack(Class, List)} does. Files of several subfolders may have the same names.
     *
     * @param owner a class of the jar that has the files, as {@code META-INF/native/linux-<architecture>/<folder>/<name>}
     * @param folder without a slash at its end, such as {@code 2.2}; empty for none
     * @param names of the files, without folders
     * @return the folder that has all these files
     * @throws IOException if the jar lacks a file, or no folder can be used; the message names each folder and the reason
     * @throws DocaLibraryException if DOCA does not exist for this architecture
     */
    public static Path unpack(Class<?> owner, String folder, List<String> names) throws IOException {
        Objects.requireNonNull(owner, "owner");
        Objects.requireNonNull(folder, "folder");
        List<String> all = Elements.copy(names, "names");
        StackGuard.check();
        return ResourceUnpacker.ofThisUser().unpack(owner, folder, all);
    }
}
