/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.doctor;

import io.docajava.ffi.Backend;
import io.docajava.ffi.DocaVersion;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Report about the DOCA libraries.
 *
 * @param backend whether they are NVIDIA's or the emulator; empty if there are none
 * @param version the release that they say they are; empty if there are none
 * @param paths the files that they were loaded from, by their short names such as {@code common}
 * @param translation the file of what stands before them, as their release is too old to be called by Java itself; empty if
 *     there is none
 * @param missing the functions that doca-java knows and a loaded library lacks, with the release that brought each, by that
 *     library's short name
 */
public record LibraryReport(
        Optional<Backend> backend,
        Optional<DocaVersion> version,
        Map<String, String> paths,
        Optional<String> translation,
        Map<String, SortedMap<String, DocaVersion>> missing) {

    /** Keeps its own copies. */
    public LibraryReport {
        Objects.requireNonNull(backend, "backend");
        Objects.requireNonNull(version, "version");
        Objects.requireNonNull(paths, "paths");
        Objects.requireNonNull(translation, "translation");
        Objects.requireNonNull(missing, "missing");
        paths = Collections.unmodifiableMap(new LinkedHashMap<>(paths));
        missing = Collections.unmodifiableMap(new LinkedHashMap<>(missing));
    }
}
