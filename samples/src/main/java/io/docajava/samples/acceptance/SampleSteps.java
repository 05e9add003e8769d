/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.acceptance;

import io.docajava.emulator.EmulatorEnvironment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs the samples: those without a peer, and the pairs against each other. */
final class SampleSteps {

    private static final Duration READY = Duration.ofMinutes(1);

    private static final List<String> SINGLE = List.of(
            "pe_polling",
            "pe_event",
            "pe_multi_context",
            "pe_reactive",
            "pe_task_resubmit",
            "pe_task_error",
            "pe_async_stop",
            "graph");

    /** The side that is started first, the other one, and their flags. */
    private record Pair(String first, String second, List<String> firstFlags, List<String> secondFlags) {}

    private static final List<Pair> RDMA = List.of(
            new Pair("rdma_receive", "rdma_send", List.of(), List.of()),
            new Pair("rdma_receive_immediate", "rdma_send_immediate", List.of(), List.of()),
            new Pair("rdma_read_responder", "rdma_read_requester", List.of(), List.of()),
            new Pair("rdma_write_responder", "rdma_write_requester", List.of(), List.of()),
            new Pair("rdma_write_immediate_responder", "rdma_write_immediate_requester", List.of(), List.of()),
            new Pair("rdma_sync_event_responder", "rdma_sync_event_requester", List.of(), List.of()),
            new Pair("rdma_multi_conn_receive", "rdma_multi_conn_send", List.of("-nc", "4"), List.of("-nc", "4")));

    private final StepRunner steps;
    private final Path logs;
    private final Path shared;
    private final String pci;
    private final boolean emulator;

    /** Creates the steps. With the emulator, this machine is host and DPU. Samples meet in the folder {@code shared}. */
    SampleSteps(StepRunner steps, Path logs, Path shared, String pci, boolean emulator) {
        this.steps = steps;
        this.logs = logs;
        this.shared = shared;
        this.pci = pci;
        this.emulator = emulator;
    }

    void run() throws InterruptedException {
        steps.sample("dma_local_copy", "dma_local_copy", "-p", pci, "-t", "acceptance");
        for (String sample : SINGLE) {
            steps.sample(sample, sample);
        }
        for (Pair pair : RDMA) {
            runRdma(pair);
        }
        if (emulator) {
            runCopyFromHost();
            runSyncEvent();
        } else {
            steps.skip("dma_copy_host, dma_copy_dpu", "needs a host and its DPU; docs/hardware.md has the commands");
            steps.skip("sync_event_local_pci, sync_event_remote_pci", "needs a host and its DPU");
        }
    }

    private void runRdma(Pair pair) throws InterruptedException {
        String exchange = "unix:" + shared.resolve("exchange");
        Program first = start(pair.first(), Map.of(), pair.firstFlags(), "--exchange", exchange);
        Program second = start(pair.second(), Map.of(), pair.secondFlags(), "--exchange", exchange);
        steps.endBoth(pair.first() + ", " + pair.second(), first, second);
    }

    private void runCopyFromHost() throws InterruptedException {
        String[] files = {
            "-d",
            shared.resolve("export").toString(),
            "-b",
            shared.resolve("buffer").toString()
        };
        List<String> host = new ArrayList<>(List.of("-p", "0b:00.0", "-t", "acceptance"));
        host.addAll(List.of(files));
        Program first = start("dma_copy_host", Map.of(EmulatorEnvironment.ROLE, "host"), host);
        boolean ready = first.hasPrinted("press enter", READY);
        Program second = start("dma_copy_dpu", Map.of(), List.of("-p", pci), files);
        if (ready && second.hasPrinted("Memory content", READY)) {
            first.pressEnter();
        }
        steps.endBoth("dma_copy_host, dma_copy_dpu", first, second);
    }

    private void runSyncEvent() throws InterruptedException {
        Program first = start("sync_event_remote_pci", Map.of(), List.of("-d", pci, "-r", "0b:00.0"));
        Program second = startSyncEvent();
        // The remote side is ready when a client finds its server.
        long end = System.nanoTime() + READY.toNanos();
        while (second.end(READY) != 0 && second.output().contains("There is no server") && System.nanoTime() < end) {
            second = startSyncEvent();
        }
        steps.endBoth("sync_event_remote_pci, sync_event_local_pci", first, second);
    }

    private Program startSyncEvent() {
        return start("sync_event_local_pci", Map.of(EmulatorEnvironment.ROLE, "host"), List.of("-d", "0b:00.0"));
    }

    private Program start(String sample, Map<String, String> environment, List<String> flags, String... more) {
        List<String> arguments = new ArrayList<>(List.of(sample));
        arguments.addAll(flags);
        arguments.addAll(List.of(more));
        return Program.sample(logs.resolve(sample + ".log"), environment, arguments);
    }
}
