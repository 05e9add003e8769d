/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi;

import io.docajava.ffi.internal.ResourceUnpacker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Native files that travel in jars. The dynamic loader reads files only, so they are unpacked before use. */
public final class NativeResources {

    private NativeResources() {}

    /**
     * Unpacks files for this machine's architecture, and gives the folder that holds them. The folder belongs to the
     * user alone and serves all later JVMs: what is there already is compared with the jar, and replaced if it differs. Files
     * of another release get another folder. Safe in several JVMs at once.
     *
     * <p>The folder lies in the one that the system property {@code doca.native.directory} names, and nothing else is tried
     * then. Without it, that is {@code $XDG_CACHE_HOME/doca-java}, by default {@code ~/.cache/doca-java}; where that cannot be
     * used, as it is full, read-only, of another user or on a file system that forbids to execute files, it is {@code
     * doca-java-<user id>} in {@code java.io.tmpdir}.
     *
     * @param owner a class of the jar that holds the files, as {@code META-INF/native/linux-<architecture>/<name>}
     * @param names of the files, without folders
     * @throws IOException if the jar lacks one of them, or no folder would do: the message names each folder and why
     * @throws DocaLibraryException if DOCA does not exist for this architecture
     */
    public static Path unpack(Class<?> owner, List<String> names) throws IOException {
        return unpack(owner, "", names);
    }

    /**
     * The same for files in a folder below the one of the architecture, where others have their names.
     *
     * @param folder without a slash at its end, such as {@code 2.2}; empty for none
     */
    public static Path unpack(Class<?> owner, String folder, List<String> names) throws IOException {
        Objects.requireNonNull(owner, "owner");
        Objects.requireNonNull(folder, "folder");
        Objects.requireNonNull(names, "names");
        return ResourceUnpacker.ofThisUser().unpack(owner, folder, names);
    }
}
