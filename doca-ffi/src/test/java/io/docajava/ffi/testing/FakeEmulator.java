/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.testing;

import io.docajava.ffi.EmulatorProvider;
import java.io.IOException;
import java.nio.file.Path;

/** An emulator whose libraries are in the folder that the system property {@code test.emulator} names. */
public final class FakeEmulator implements EmulatorProvider {

    /** Called by {@link java.util.ServiceLoader}. */
    public FakeEmulator() {}

    @Override
    public Path libraryDirectory() throws IOException {
        String folder = System.getProperty("test.emulator");
        if (folder == null) {
            throw new IOException("there is no room for it");
        }
        return Path.of(folder);
    }
}
