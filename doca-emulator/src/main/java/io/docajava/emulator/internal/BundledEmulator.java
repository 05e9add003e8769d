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

    /** The release with libraries of their own: their functions are others. */
    private static final String WORK_QUEUES = "2.2";

    private static final List<String> WORK_QUEUE_LIBRARIES =
            List.of("libdoca_common.so.2", "libdoca_dma.so.2", "libdoca_rdma.so.2", "libdoca_comm_channel.so.2");

    /** For the service loader. */
    public BundledEmulator() {}

    @Override
    public Path libraryDirectory() throws IOException {
        return WORK_QUEUES.equals(System.getenv("DOCA_EMULATOR_RELEASE"))
                ? NativeResources.unpack(BundledEmulator.class, WORK_QUEUES, WORK_QUEUE_LIBRARIES)
                : NativeResources.unpack(BundledEmulator.class, LIBRARIES);
    }
}
