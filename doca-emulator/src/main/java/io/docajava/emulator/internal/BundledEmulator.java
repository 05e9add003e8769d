/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.emulator.internal;

import io.docajava.ffi.EmulatorProvider;
import io.docajava.ffi.NativeResources;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The emulator's libraries in this jar. */
public final class BundledEmulator implements EmulatorProvider {

    private static final List<String> LIBRARIES =
            List.of("libdoca_common.so.2", "libdoca_dma.so.2", "libdoca_rdma.so.2", "libdoca_comch.so.2");

    /** For the service loader. */
    public BundledEmulator() {}

    @Override
    public Path libraryDirectory() throws IOException {
        return NativeResources.unpack(BundledEmulator.class, LIBRARIES);
    }
}
