/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Provides the libraries that translate the functions that doca-java calls to those of an older DOCA release. {@link
 * java.util.ServiceLoader} finds the provider in doca-compat.
 */
public interface TranslationProvider {

    /**
     * Returns the folder of the libraries for this machine's architecture.
     *
     * @return a folder with {@code libdocajava_pe_on_workq.so} and {@code libdocajava_rdma_connections.so}, which stay there as
     *     long as the process runs
     * @throws IOException if the libraries cannot be unpacked, or there are none for this architecture
     */
    Path libraryDirectory() throws IOException;
}
