/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import java.io.IOException;
import java.util.List;

/** The processes that tests of RDMA samples share. A test that uses several of them must take them in this order. */
enum RdmaSides {
    FIRST,
    SECOND,
    THIRD;

    /** Starts a sample in this process. */
    SharedRun begin(List<String> arguments) throws IOException, InterruptedException {
        return begin(CProgram.NEWEST, arguments);
    }

    /** Starts a sample in this process, on the libraries of a release. */
    SharedRun begin(String release, List<String> arguments) throws IOException, InterruptedException {
        return SampleProcess.onEmulator()
                .with("RDMA_SIDE", name() + " of a user")
                .with("DOCA_EMULATOR_RELEASE", release)
                .beginShared(arguments.toArray(String[]::new));
    }
}
