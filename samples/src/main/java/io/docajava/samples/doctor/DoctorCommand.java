/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.doctor;

import io.docajava.core.doctor.Diagnosis;
import io.docajava.core.doctor.Doctor;
import io.docajava.samples.cli.Tool;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the state of DOCA on this machine, and what to do about missing parts. */
@Command(
        name = "doctor",
        description = "Reports whether DMA and RDMA can run on this machine, and what to do if not",
        footer = {"", "Exit code: 0 if both can run, 3 if only DMA can, 4 if only RDMA can, 1 if neither can."})
public final class DoctorCommand implements Tool {

    // The exit code 2 means a mistake on the command line.
    private static final int BOTH = 0;

    private static final int NEITHER = 1;
    private static final int ONLY_DMA = 3;
    private static final int ONLY_RDMA = 4;

    @Option(names = "--json", description = "Print the report as JSON")
    private boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this help")
    @SuppressWarnings("unused") // picocli evaluates it
    private boolean help;

    @Spec
    private CommandSpec spec;

    DoctorCommand() {}

    @Override
    public int run() {
        Diagnosis diagnosis = Doctor.examine();
        spec.commandLine().getOut().print(json ? DiagnosisJson.of(diagnosis) + "\n" : diagnosis.toString());
        spec.commandLine().getOut().flush();
        boolean dma = diagnosis.canRun("DMA");
        boolean rdma = diagnosis.canRun("RDMA");
        if (dma) {
            return rdma ? BOTH : ONLY_DMA;
        }
        return rdma ? ONLY_RDMA : NEITHER;
    }
}
