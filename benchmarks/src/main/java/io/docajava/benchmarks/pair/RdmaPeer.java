/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.pair;

import io.docajava.core.memory.MmapExport;
import io.docajava.rdma.ConnectionDetails;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;

/** The peer process of an RDMA connection, {@code doca_bench_rdma_peer}: the same program for Java and for C. */
public final class RdmaPeer implements AutoCloseable {

    private final Process process;
    private final BufferedWriter questions;
    private final BufferedReader answers;
    private final ConnectionDetails details;
    private final MmapExport memory;

    private RdmaPeer(Process process) throws IOException {
        this.process = process;
        questions = process.outputWriter();
        answers = process.inputReader();
        String[] words = answer().split(" ", -1);
        if (words.length != 4) {
            throw new IOException("The RDMA peer failed: " + String.join(" ", words));
        }
        HexFormat hex = HexFormat.of();
        details = ConnectionDetails.of(hex.parseHex(words[0]));
        memory = MmapExport.of(hex.parseHex(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
    }

    /**
     * Starts the process.
     *
     * @param size the number of bytes of each range of its memory
     * @param stretches the number of ranges, each with a receive
     * @throws IOException if it cannot be started
     */
    public static RdmaPeer start(int size, int stretches) throws IOException {
        Process process = NativePrograms.program(
                        "doca_bench_rdma_peer", Integer.toString(size), Integer.toString(stretches))
                .start();
        try {
            return new RdmaPeer(process);
        } catch (Throwable failure) {
            process.destroyForcibly();
            throw failure;
        }
    }

    /** Returns the details of its connection. */
    public ConnectionDetails details() {
        return details;
    }

    /** Returns the export of its memory. */
    public MmapExport memory() {
        return memory;
    }

    /**
     * Makes it connect.
     *
     * @throws IOException if it has ended
     */
    public void connect(ConnectionDetails ours) throws IOException {
        questions.write(HexFormat.of().formatHex(ours.bytes()));
        questions.newLine();
        questions.flush();
        String answer = answer();
        if (!answer.equals("connected")) {
            throw new IOException("The RDMA peer failed: " + answer);
        }
    }

    private String answer() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("The RDMA peer has ended");
        }
        return line;
    }

    /** Ends the process. */
    @Override
    public void close() {
        try {
            questions.close();
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
