/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.doctor;

import io.docajava.ffi.Backend;
import io.docajava.ffi.DocaVersion;
import io.docajava.ffi.argument.Elements;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Report about the DOCA libraries.
 *
 * @param backend whether they are NVIDIA's or the emulator; empty if none can be loaded
 * @param version the release that the libraries report; empty if none can be loaded
 * @param paths the files of the loaded libraries, by their short names such as {@code common}; unmodifiable
 * @param translation the file of the library that translates calls for an older release; empty if none is used
 * @param missing the functions that doca-java can use and a loaded library lacks, each with the release that introduced it; by
 *     the short name of the library, without libraries that lack none
 */
public record LibraryReport(
        Optional<Backend> backend,
        Optional<DocaVersion> version,
        Map<String, String> paths,
        Optional<String> translation,
        Map<String, SortedMap<String, DocaVersion>> missing) {

    /** Copies the maps. */
    public LibraryReport {
        Objects.requireNonNull(backend, "backend");
        Objects.requireNonNull(version, "version");
        Objects.requireNonNull(translation, "translation");
        paths = Elements.copyOfMap(paths, "paths");
        missing = Elements.copyOfMap(missing, "missing");
    }
}
