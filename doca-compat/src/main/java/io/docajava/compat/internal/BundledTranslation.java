/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.compat.internal;

import io.docajava.ffi.NativeResources;
import io.docajava.ffi.TranslationProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The translations in this jar. */
public final class BundledTranslation implements TranslationProvider {

    private static final List<String> LIBRARIES =
            List.of("libdocajava_pe_on_workq.so", "libdocajava_rdma_connections.so");

    /** For the service loader. */
    public BundledTranslation() {}

    @Override
    public Path libraryDirectory() throws IOException {
        return NativeResources.unpack(BundledTranslation.class, LIBRARIES);
    }
}
