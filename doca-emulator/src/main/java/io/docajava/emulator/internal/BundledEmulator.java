/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.emulator.internal;

import io.docajava.ffi.EmulatorProvider;
import io.docajava.ffi.NativeResources;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The emulator's libraries in this jar. */
public final class BundledEmulator implements EmulatorProvider {

    private static final List<String> LIBRARIES =
            List.of("libdoca_common.so.2", "libdoca_dma.so.2", "libdoca_rdma.so.2", "libdoca_comch.so.2");

    /** The libraries of older releases, whose functions differ. */
    private static final Map<String, List<String>> OLD_LIBRARIES = Map.of(
            "2.5",
            List.of("libdoca_common.so.2", "libdoca_dma.so.2", "libdoca_rdma.so.2"),
            "2.2",
            List.of("libdoca_common.so.2", "libdoca_dma.so.2", "libdoca_rdma.so.2", "libdoca_comm_channel.so.2"),
            "1.5",
            List.of("libdoca_common.so.1", "libdoca_dma.so.1"));

    /** For the service loader. */
    public BundledEmulator() {}

    @Override
    public Path libraryDirectory() throws IOException {
        String release = Objects.requireNonNullElse(System.getenv("DOCA_EMULATOR_RELEASE"), "");
        if (release.isEmpty() || release.equals("3.0")) {
            return NativeResources.unpack(BundledEmulator.class, LIBRARIES);
        }
        List<String> old = OLD_LIBRARIES.get(release);
        if (old == null) {
            throw new IOException("DOCA_EMULATOR_RELEASE=" + release + ": expected 1.5, 2.2, 2.5 or 3.0");
        }
        return NativeResources.unpack(BundledEmulator.class, release, old);
    }
}
