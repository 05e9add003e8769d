/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import io.docajava.samples.acceptance.AcceptanceCommand;
import io.docajava.samples.cli.SampleRunner;
import io.docajava.samples.doctor.DoctorCommand;
import io.docajava.samples.filecopy.DmaFileCopyDpu;
import io.docajava.samples.filecopy.DmaFileCopyHost;
import io.docajava.samples.pe.GraphOfCopies;
import io.docajava.samples.pe.PeAsyncStop;
import io.docajava.samples.pe.PeEvent;
import io.docajava.samples.pe.PeMultiContext;
import io.docajava.samples.pe.PePolling;
import io.docajava.samples.pe.PeReactive;
import io.docajava.samples.pe.PeTaskError;
import io.docajava.samples.pe.PeTaskResubmit;
import io.docajava.samples.rdma.RdmaAtomic;
import io.docajava.samples.rdma.RdmaMultiConnReceive;
import io.docajava.samples.rdma.RdmaMultiConnSend;
import io.docajava.samples.rdma.RdmaPerf;
import io.docajava.samples.rdma.RdmaReadRequester;
import io.docajava.samples.rdma.RdmaReadResponder;
import io.docajava.samples.rdma.RdmaReceive;
import io.docajava.samples.rdma.RdmaReceiveImmediate;
import io.docajava.samples.rdma.RdmaSend;
import io.docajava.samples.rdma.RdmaSendImmediate;
import io.docajava.samples.rdma.RdmaSyncEventRequester;
import io.docajava.samples.rdma.RdmaSyncEventResponder;
import io.docajava.samples.rdma.RdmaWriteImmediateRequester;
import io.docajava.samples.rdma.RdmaWriteImmediateResponder;
import io.docajava.samples.rdma.RdmaWriteRequester;
import io.docajava.samples.rdma.RdmaWriteResponder;
import io.docajava.samples.sync.SyncEventLocalPci;
import io.docajava.samples.sync.SyncEventRemotePci;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The program behind {@code scripts/sample}. A new sample needs a class, and a line in the list of sub-commands. */
@Command(
        name = "sample",
        subcommands = {
            DmaLocalCopy.class,
            DmaCopyHost.class,
            DmaCopyDpu.class,
            DmaFileCopyHost.class,
            DmaFileCopyDpu.class,
            PePolling.class,
            PeEvent.class,
            PeMultiContext.class,
            PeReactive.class,
            PeTaskResubmit.class,
            PeTaskError.class,
            PeAsyncStop.class,
            GraphOfCopies.class,
            SyncEventLocalPci.class,
            SyncEventRemotePci.class,
            RdmaSend.class,
            RdmaReceive.class,
            RdmaSendImmediate.class,
            RdmaReceiveImmediate.class,
            RdmaReadRequester.class,
            RdmaReadResponder.class,
            RdmaWriteRequester.class,
            RdmaWriteResponder.class,
            RdmaWriteImmediateRequester.class,
            RdmaWriteImmediateResponder.class,
            RdmaSyncEventRequester.class,
            RdmaSyncEventResponder.class,
            RdmaMultiConnSend.class,
            RdmaMultiConnReceive.class,
            RdmaAtomic.class,
            RdmaPerf.class,
            DoctorCommand.class,
            AcceptanceCommand.class
        },
        synopsisSubcommandLabel = "<sample>",
        commandListHeading = "%nSamples:%n",
        description = "Runs a sample of DOCA. Its own flags are listed by: sample <sample> --help")
public final class Launcher {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this help")
    @SuppressWarnings("unused") // picocli evaluates it
    private boolean help;

    private Launcher() {}

    /** Runs the sample that the first argument names, with the remaining arguments, and exits with its result. */
    public static void main(String[] args) {
        System.exit(new SampleRunner(Launcher.class).run(args));
    }
}
