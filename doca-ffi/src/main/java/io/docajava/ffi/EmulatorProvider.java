/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi;

import java.io.IOException;
import java.nio.file.Path;

/** Offers the software emulation of the DOCA libraries; found by {@link java.util.ServiceLoader}. */
public interface EmulatorProvider {

    /**
     * The folder that holds {@code libdoca_common.so.2} and its sisters, for this machine's architecture.
     *
     * @throws IOException if they cannot be unpacked, or there are none for this architecture
     */
    Path libraryDirectory() throws IOException;
}
