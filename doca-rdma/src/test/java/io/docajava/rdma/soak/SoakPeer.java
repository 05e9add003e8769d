/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.soak;

import io.docajava.core.memory.Mmap;
import io.docajava.rdma.ConnectionDetails;
import io.docajava.rdma.RdmaConnection;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/** The process at the other end. It reads commands to begin and end a run, one a line, and prints the results. */
final class SoakPeer {

    static final int LANES = 2;
    static final String IB_DEVICE = "mlx5_1";

    private static final Duration WHILE = Duration.ofSeconds(1);
    private static final String END_OF_INPUT = "";

    private final Endpoint endpoint = new Endpoint(IB_DEVICE, LANES);
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private boolean isTold;

    private SoakPeer() {}

    public static void main(String[] arguments) {
        try {
            new SoakPeer().run();
        } catch (Throwable e) {
            e.printStackTrace();
            System.out.println("wrong " + e + ", " + e.getCause());
            System.exit(1);
        }
    }

    private void run() throws Exception {
        Thread reader = new Thread(this::read, "reader");
        reader.setDaemon(true);
        reader.start();
        System.out.println("ready");
        for (; ; ) {
            endpoint.run(() -> !lines.isEmpty() || (endpoint.brokenBy().isPresent() && !isTold), WHILE);
            if (endpoint.brokenBy().isPresent() && !isTold) {
                isTold = true;
                System.out.println("broken " + endpoint.brokenBy().get().getMessage());
            }
            String line = lines.poll();
            if (END_OF_INPUT.equals(line)) {
                endpoint.close();
                return;
            }
            if (line != null) {
                obey(line.split(" ", -1));
            }
        }
    }

    private void read() {
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                lines.add(line);
                endpoint.engine().wakeUp();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            lines.add(END_OF_INPUT);
            endpoint.engine().wakeUp();
        }
    }

    private void obey(String[] words) throws Exception {
        switch (words[0]) {
            case "open" -> {
                isTold = false;
                String details = endpoint.open().stream()
                        .map(RdmaConnection::details)
                        .map(one -> Base64.getEncoder().encodeToString(one.bytes()))
                        .collect(Collectors.joining(" "));
                System.out.println("opened " + Base64.getEncoder().encodeToString(endpoint.export()) + " " + details);
            }
            case "connect" -> {
                long key = Long.parseLong(words[1]);
                int first = Integer.parseInt(words[2]);
                Mmap remote = endpoint.attach(Base64.getDecoder().decode(words[3]));
                for (int i = 0; i < LANES; i++) {
                    ConnectionDetails details =
                            ConnectionDetails.of(Base64.getDecoder().decode(words[4 + i]));
                    endpoint.connect(i, details, remote, first + i, key + first + i, false);
                }
                endpoint.start();
                System.out.println("started");
            }
            case "stop" -> endpoint.stop();
            case "end" -> {
                endpoint.end();
                isTold = true;
                System.out.println("ended " + endpoint.counts().takeLine() + " "
                        + Resources.now().toLine());
            }
            default -> throw new IllegalArgumentException(words[0]);
        }
    }
}
