/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests whose connections to a Unix-domain socket are accepted. */
@Timeout(600)
class UnixSocketsTest {

    /** The number of the user and group that own nothing. */
    private static final String NOBODY = "65534";

    /** Another user can connect in the moment before the socket's file becomes private. */
    @Test
    void aProcessOfAnotherUserIsNoPeer(@TempDir Path folder) throws Exception {
        assumeThat(asNobody("-version").waitFor())
                .as("This user can start a JVM as another user")
                .isZero();
        share(folder, "rwxr-xr-x");
        Path classes = folder.resolve("classes");
        copyClass(OtherUser.class, classes);
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("socket"));
        try (ServerSocketChannel listener = UnixSockets.listen(address)) {
            share(address.getPath(), "rwxrwxrwx");
            Process other = asNobody(
                    "-cp",
                    classes.toString(),
                    OtherUser.class.getName(),
                    address.getPath().toString());
            try (SocketChannel channel = listener.accept()) {
                assertThatThrownBy(() -> PeerChannel.prepare(channel))
                        .isExactlyInstanceOf(IOException.class)
                        .hasMessage("The peer is a process of the user "
                                + Files.getOwner(classes).getName() + ", not of the user of this process");
                assertThat(channel.isOpen()).isFalse();
            }
            assertThat(other.waitFor()).isZero();
        }
    }

    /** Starts a JVM as the other user. */
    private static Process asNobody(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of("setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", "--inh-caps=-all"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(arguments));
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException missing) {
            assumeThat(missing).as("setpriv can be started").isNull();
            throw missing;
        }
    }

    /** Copies a class to a folder of the other user, who may not be able to read the build. */
    private static void copyClass(Class<?> copied, Path classes) throws IOException {
        String file = copied.getName().replace('.', '/') + ".class";
        Path target = classes.resolve(file);
        Files.createDirectories(target.getParent());
        try (InputStream in = Objects.requireNonNull(copied.getResourceAsStream("/" + file))) {
            Files.copy(in, target);
        }
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path path : files.toList()) {
                Files.setAttribute(path, "unix:uid", Integer.parseInt(NOBODY));
            }
        }
    }

    private static void share(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }
}
