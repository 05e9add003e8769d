/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.testing.TestJvm;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests an exchange that a process begins without a free file descriptor, while its peer listens. */
@Timeout(600)
class ExchangeWithoutDescriptorsTest {

    @Test
    void namesTheLimit() throws Exception {
        List<String> command = TestJvm.command();
        command.addAll(List.of(
                "-cp",
                TestJvm.classPath(Path.of("target", "test-classes").toString()),
                "--enable-native-access=ALL-UNNAMED",
                Probe.class.getName()));
        Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
        assertThat(TestJvm.outputOf(child).lines())
                .hasSize(2)
                .allMatch(line -> line.matches("No exchange at [^ ]+:[0-9]+ can begin now: this process has too many"
                        + " open files: close some, or raise the limit \\(ulimit -n\\)"));
    }

    /** Runs in a process of its own, whose descriptors it uses up. */
    static final class Probe {

        private Probe() {}

        public static void main(String[] arguments) throws Exception {
            try (ServerSocket peer = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                SocketAddress address = new InetSocketAddress(peer.getInetAddress(), peer.getLocalPort());
                // Loads the classes.
                message(() -> DescriptorExchange.connect(address, Duration.ofMillis(1)));
                message(() -> DescriptorExchange.listen(
                        new InetSocketAddress(peer.getInetAddress(), 0), Duration.ofMillis(1)));
                List<FileInputStream> all = new ArrayList<>();
                try {
                    while (true) {
                        all.add(new FileInputStream("/dev/null"));
                    }
                } catch (IOException limit) {
                    // All are in use.
                }
                List<String> messages = new ArrayList<>();
                messages.add(message(() -> DescriptorExchange.connect(address, Duration.ofSeconds(1))));
                messages.add(message(() -> DescriptorExchange.listen(address, Duration.ofSeconds(1))));
                for (FileInputStream file : all) {
                    file.close();
                }
                messages.forEach(System.out::println);
            }
        }

        private static String message(Attempt attempt) {
            try {
                attempt.run();
                return "no failure";
            } catch (IOException failure) {
                return String.valueOf(failure.getMessage());
            }
        }
    }

    /** Begins an exchange. */
    private interface Attempt {
        DescriptorExchange run() throws IOException;
    }
}
