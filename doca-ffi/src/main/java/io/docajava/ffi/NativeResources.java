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
     * user alone, lies in the user's cache folder or else in {@code java.io.tmpdir}, and serves all later JVMs: what is
     * there already is compared with the jar, and replaced if it differs. Safe in several JVMs at once.
     *
     * @param owner a class of the jar that holds the files, as {@code META-INF/native/linux-<architecture>/<name>}
     * @param names of the files, without folders
     * @throws IOException if the jar lacks one of them, or no folder would do: the message names each folder and why
     * @throws DocaLibraryException if DOCA does not exist for this architecture
     */
    public static Path unpack(Class<?> owner, List<String> names) throws IOException {
        Objects.requireNonNull(owner, "owner");
        Objects.requireNonNull(names, "names");
        return ResourceUnpacker.ofThisUser().unpack(owner, names);
    }
}
