/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Offers the libraries that make the functions which doca-java calls out of those of an older DOCA release; found by
 * {@link java.util.ServiceLoader}. doca-compat has them.
 */
public interface TranslationProvider {

    /**
     * Returns the folder that holds {@code libdocajava_pe_on_workq.so} and {@code libdocajava_rdma_connections.so}, for this
     * machine's architecture.
     *
     * @throws IOException if it cannot be unpacked, or there is none for this architecture
     */
    Path libraryDirectory() throws IOException;
}
