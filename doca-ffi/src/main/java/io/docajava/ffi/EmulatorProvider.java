/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi;

import java.io.IOException;
import java.nio.file.Path;

/** Provides the emulator's DOCA libraries. {@link java.util.ServiceLoader} finds the provider in doca-emulator. */
public interface EmulatorProvider {

    /**
     * Returns the folder of the libraries for this machine's architecture.
     *
     * @return a folder with {@code libdoca_common.so.2} and the other libraries, which stay there until the process ends
     * @throws IOException if the libraries cannot be unpacked, or there are none for this architecture
     */
    Path libraryDirectory() throws IOException;
}
