/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.samples.SampleProcess.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests samples in Java against NVIDIA's own samples in C, on the emulator. The user has to build those first, so this test
 * has its own profile: {@code mvn verify -Pc-samples -Ddoca.c.samples=DIR -pl samples -am}.
 */
@Timeout(600)
class CSamplesInterop {

    private static final Pattern RECORD =
            Pattern.compile(".*\\[DOCA]\\[(?<level>[A-Z]+)]\\[[^]]*]\\[[^]]*] (?<text>.*)");

    private static final String DPU = "dpu";
    private static final String HOST = "host";
    private static final String ENTER = "press enter";
    private static final String CONNECTED = "RDMA context finished initialization";

    @TempDir
    private Path folder;

    @BeforeAll
    static void checkFolder() throws IOException {
        CSample.checkFolder();
    }

    /** The language of a sample. */
    enum Language {
        C,
        JAVA;

        Language other() {
            return this == C ? JAVA : C;
        }

        RunningProgram start(String role, Path folder, String... arguments) throws IOException {
            return this == C
                    ? CSample.start(role, folder, List.of(arguments))
                    : SampleProcess.onEmulator()
                            .with("DOCA_EMULATOR_ROLE", role)
                            .with("DOCA_EMULATOR_RUNTIME_DIR", folder.toString())
                            .start(arguments);
        }
    }

    /** Returns each pair twice, with its passive side in either language. */
    static Stream<Arguments> pairs() {
        return RdmaPair.all().stream()
                .flatMap(pair -> Stream.of(Language.values()).map(first -> Arguments.of(pair, first)));
    }

    private RunningProgram startRdma(Language language, String sample, String device, String... more)
            throws IOException {
        return language.start(
                DPU,
                folder,
                Stream.concat(Stream.of(sample, "-d", device), Stream.of(more)).toArray(String[]::new));
    }

    /** Starts a passive side with files for a number of connections, and with its own flags. */
    private RunningProgram startFirst(Language language, String sample, String... more) throws IOException {
        return startRdma(language, sample, "mlx5_0", withFiles("one", "other", more));
    }

    private RunningProgram startSecond(Language language, String sample, String... more) throws IOException {
        return startRdma(language, sample, "mlx5_1", withFiles("other", "one", more));
    }

    private String[] withFiles(String local, String remote, String... more) {
        Stream<String> files = Stream.of(
                "-ld",
                folder.resolve(local).toString(),
                "-re",
                folder.resolve(remote).toString(),
                "-m",
                folder.resolve("resource").toString());
        return Stream.concat(files, Stream.of(more)).toArray(String[]::new);
    }

    private RunningProgram startServer(Language language, String sample, String... more) throws Exception {
        RunningProgram server = startRdma(
                language,
                sample,
                "mlx5_0",
                Stream.concat(Stream.of("-cm"), Stream.of(more)).toArray(String[]::new));
        try {
            server.awaitOut("[Server] started connection successfully");
            return server;
        } catch (Throwable failure) {
            server.close();
            throw failure;
        }
    }

    private RunningProgram startClient(Language language, String sample, String... more) throws IOException {
        return startRdma(
                language,
                sample,
                "mlx5_1",
                Stream.concat(Stream.of("-cm", "-sa", "127.0.0.1"), Stream.of(more))
                        .toArray(String[]::new));
    }

    private static String[] text(RdmaPair pair, boolean isOfFirst) {
        return pair.textIsOfFirst() == isOfFirst ? new String[] {pair.textFlag(), "text of " + pair} : new String[0];
    }

    private static void assertSucceeded(Result result, List<String> said) {
        List<String> records = records(result);
        assertThat(result.exitCode()).as(String.join("\n", records)).isZero();
        assertThat(records).noneMatch(record -> record.startsWith("ERR "));
        assertThat(records)
                .containsSubsequence(Stream.concat(said.stream(), Stream.of(DmaLocalCopyTest.SUCCESS))
                        .toList());
    }

    /** Returns the log records, without the text that some samples print for the user to copy. */
    private static List<String> records(Result result) {
        return Stream.concat(result.out().stream(), result.err().stream())
                .map(RECORD::matcher)
                .filter(Matcher::matches)
                .map(record -> record.group("level") + " " + record.group("text"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void rdmaByFiles(RdmaPair pair, Language language) throws Exception {
        try (RunningProgram first = startFirst(language, pair.first(), text(pair, true));
                RunningProgram second = startSecond(language.other(), pair.second(), text(pair, false))) {
            pressEnterInTurn(first, second);
            finish(pair, first, second);
        }
    }

    /** Presses Enter in the passive side, and in the other side after it has connected. */
    private static void pressEnterInTurn(RunningProgram first, RunningProgram second) throws Exception {
        first.awaitOut(ENTER);
        second.awaitOut(ENTER);
        first.type("\n");
        first.awaitOut(CONNECTED);
        second.type("\n");
    }

    private static void finish(RdmaPair pair, RunningProgram first, RunningProgram second) throws Exception {
        String text = "text of " + pair;
        assertSucceeded(second.end(), pair.secondSays(text));
        if (pair.waitsForUser()) {
            first.type("\n");
        }
        assertSucceeded(first.end(), pair.firstSays(text));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void rdmaByAddress(RdmaPair pair, Language language) throws Exception {
        try (RunningProgram server = startServer(language, pair.first(), text(pair, true));
                RunningProgram client = startClient(language.other(), pair.second(), text(pair, false))) {
            if (pair.isOnMemory()) {
                tellOfMemory(server, client);
            } else {
                server.awaitOut("RDMA receive task successfully submitted");
                client.awaitOut("Please press enter after the receive task has been successfully submitted");
                client.type("\n");
            }
            finish(pair, server, client);
        }
    }

    private static void tellOfMemory(RunningProgram server, RunningProgram client) throws Exception {
        server.awaitOut("Wait till the requester has finished the submission of the receive task");
        client.awaitOut("Negotiation receive task submission completed");
        server.type("\n");
    }

    @ParameterizedTest
    @EnumSource
    void rdmaByFilesOfSeveralConnections(Language language) throws Exception {
        int connections = 3;
        String[] more = {"-nc", Integer.toString(connections)};
        try (RunningProgram first = startFirst(language, "rdma_multi_conn_receive", more);
                RunningProgram second = startSecond(language.other(), "rdma_multi_conn_send", more)) {
            for (int i = 0; i < connections; i++) {
                first.awaitOut("other-000" + i + " from the sender");
                second.awaitOut("one-000" + i + " from the receiver");
                first.type("\n");
                first.awaitOut("RDMA connection [" + i + "] is establshed");
                second.type("\n");
            }
            sendToSeveral(connections, first, second);
        }
    }

    private static void sendToSeveral(int connections, RunningProgram receiver, RunningProgram... senders)
            throws Exception {
        receiver.awaitOut("All RDMA receive tasks have been successfully submitted");
        for (RunningProgram sender : senders) {
            sender.awaitOut("Please press enter after all the receive tasks have been successfully submitted");
            sender.type("\n");
        }
        for (RunningProgram sender : senders) {
            assertSucceeded(sender.end(), List.of("INF RDMA send task was done successfully"));
        }
        Result received = receiver.end();
        assertThat(records(received))
                .filteredOn(line -> line.startsWith("INF Got from sender: \"Hi DOCA RDMA!\", sender's"))
                .hasSize(connections);
        assertThat(received.exitCode()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void rdmaByAddressOfSeveralConnections(Language language) throws Exception {
        try (RunningProgram server = startServer(language, "rdma_multi_conn_receive", "-nc", "2");
                RunningProgram one = startClient(language.other(), "rdma_multi_conn_send");
                RunningProgram other = startClient(language.other(), "rdma_multi_conn_send")) {
            sendToSeveral(2, server, one, other);
        }
    }

    @ParameterizedTest
    @EnumSource
    void eventsOfRdmaByFiles(Language language) throws Exception {
        try (RunningProgram responder = startFirst(language, "rdma_sync_event_responder");
                RunningProgram requester = startSecond(language.other(), "rdma_sync_event_requester")) {
            pressEnterInTurn(responder, requester);
            finishEvents(responder, requester);
        }
    }

    @ParameterizedTest
    @EnumSource
    void eventsOfRdmaByAddress(Language language) throws Exception {
        try (RunningProgram responder = startServer(language, "rdma_sync_event_responder");
                RunningProgram requester = startClient(language.other(), "rdma_sync_event_requester")) {
            tellOfMemory(responder, requester);
            finishEvents(responder, requester);
        }
    }

    private static void finishEvents(RunningProgram responder, RunningProgram requester) throws Exception {
        assertSucceeded(requester.end(), RdmaExchangeTest.SYNC_EVENT_REQUESTER);
        assertSucceeded(
                responder.end(),
                List.of(
                        "INF Waiting for sync event to be signaled from remote",
                        "INF Signaling sync event",
                        "INF Waiting for sync event to be notified for completion"));
    }

    /** Returns each way to use an event, with each sample on the DPU, in each language. */
    static Stream<Arguments> eventsOfPci() {
        return Stream.of("", "--async --async-num-tasks 4", "--atomic", "--async --async-num-tasks 4 --atomic")
                .flatMap(flags -> Stream.of("sync_event_local_pci", "sync_event_remote_pci")
                        .flatMap(ofDpu ->
                                Stream.of(Language.values()).map(language -> Arguments.of(flags, ofDpu, language))));
    }

    @ParameterizedTest
    @MethodSource
    void eventsOfPci(String flags, String ofDpu, Language language) throws Exception {
        String ofHost = ofDpu.equals("sync_event_local_pci") ? "sync_event_remote_pci" : "sync_event_local_pci";
        try (RunningProgram dpu = language.start(DPU, folder, (ofDpu + " -d 03:00.0 -r 0b:00.0 " + flags).split(" "))) {
            awaitListener(dpu);
            try (RunningProgram host =
                    language.other().start(HOST, folder, (ofHost + " -d 0b:00.0 " + flags).split(" "))) {
                List<String> both = List.of("INF Waiting for sync event to be signaled from remote side");
                assertSucceeded(host.end(), both);
                assertSucceeded(dpu.end(), both);
            }
        }
    }

    /** Waits until the server listens, as a client would fail before. The C server does not log it. */
    private void awaitListener(RunningProgram server) throws Exception {
        while (!hasSocket()) {
            assertThat(server.isAlive()).isTrue();
            Thread.onSpinWait();
        }
    }

    private boolean hasSocket() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.anyMatch(file -> !Files.isRegularFile(file) && !Files.isDirectory(file));
        }
    }

    @ParameterizedTest
    @EnumSource
    void copiesFromHostToDpu(Language language) throws Exception {
        String[] files = {
            "-d",
            folder.resolve("descriptor").toString(),
            "-b",
            folder.resolve("buffer").toString()
        };
        try (RunningProgram host = language.start(
                HOST,
                folder,
                "dma_copy_host",
                "-p",
                "0b:00.0",
                "-t",
                "a text",
                files[0],
                files[1],
                files[2],
                files[3])) {
            host.awaitOut("Wait till the DPU has finished and press enter");
            try (RunningProgram dpu =
                    language.other().start(DPU, folder, "dma_copy_dpu", files[0], files[1], files[2], files[3])) {
                assertSucceeded(
                        dpu.end(), List.of("INF Remote DMA copy was done Successfully", "INF Memory content: a text"));
            }
            host.type("\n");
            assertSucceeded(host.end(), List.of());
        }
    }

    @Test
    void graphsRunAlike() throws Exception {
        try (RunningProgram c = Language.C.start(DPU, folder, "graph");
                RunningProgram java = Language.JAVA.start(DPU, folder, "graph")) {
            Result ofJava = java.end();
            assertSucceeded(ofJava, List.of("INF All instances completed"));
            assertSucceeded(
                    c.end(),
                    records(ofJava).stream()
                            .filter(record -> !record.equals(DmaLocalCopyTest.SUCCESS))
                            .toList());
        }
    }
}
