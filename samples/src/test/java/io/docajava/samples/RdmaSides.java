/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import java.io.IOException;
import java.util.List;

/** The processes for samples of RDMA and their peers, which tests share: who uses several takes them in this order. */
enum RdmaSides {
    FIRST,
    SECOND,
    THIRD;

    /** Begins to run a sample there. */
    SharedRun begin(List<String> arguments) throws IOException, InterruptedException {
        return begin(CProgram.NEWEST, arguments);
    }

    /** Begins to run a sample there, on libraries of a release. */
    SharedRun begin(String release, List<String> arguments) throws IOException, InterruptedException {
        return SampleProcess.onEmulator()
                .with("RDMA_SIDE", name() + " of a user")
                .with("DOCA_EMULATOR_RELEASE", release)
                .beginShared(arguments.toArray(String[]::new));
    }
}
