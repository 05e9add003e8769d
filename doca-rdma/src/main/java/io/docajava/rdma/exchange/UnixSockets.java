/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.exchange;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.Charset;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/** The parts of the exchange that are specific to Unix-domain sockets: the socket's file, and the user of the peer. */
final class UnixSockets {

    /** The length in bytes of the longest path that Java accepts for a socket. */
    private static final int MAX_PATH = 106;

    /** The length of the longest temporary name: a dot and 64 random bits. */
    private static final int MAX_UNNAMED = 17;

    /** How many random names are tried. Most paths leave room for a name that no other process has. */
    private static final int ATTEMPTS = 100;

    private UnixSockets() {}

    /** Identifies a socket's file. The time tells a new file from a deleted one whose inode number it has. */
    record FileId(@Nullable Object key, @Nullable Object modified) {

        /** Only the mode tells a socket from a device or a named pipe. */
        private static final String ATTRIBUTES = "unix:mode,fileKey,lastModifiedTime";

        /** The part of the mode that is the type of the file, and the type of sockets. */
        private static final int TYPE_MASK = 0170000;

        private static final int SOCKET_TYPE = 0140000;

        /**
         * Reads the identity of a socket's file.
         *
         * @throws FileSystemException if the file is not a socket
         */
        static FileId of(UnixDomainSocketAddress address) throws IOException {
            Path file = address.getPath();
            Map<String, Object> attributes = attributes(file);
            if (!(attributes.get("mode") instanceof Integer mode) || (mode & TYPE_MASK) != SOCKET_TYPE) {
                throw new FileSystemException(file.toString(), null, "it is not a socket");
            }
            return of(attributes);
        }

        boolean isOf(Path file) throws IOException {
            return equals(of(attributes(file)));
        }

        private static FileId of(Map<String, Object> attributes) {
            return new FileId(attributes.get("fileKey"), attributes.get("lastModifiedTime"));
        }

        private static Map<String, Object> attributes(Path file) throws IOException {
            return Files.readAttributes(file, ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
        }
    }

    /**
     * Listens. The socket's file appears only when the socket listens already, so that a file whose socket refuses connections
     * always belongs to a process that has ended.
     *
     * @throws BindException if the file exists
     */
    static ServerSocketChannel listen(UnixDomainSocketAddress address) throws IOException {
        Path file = address.getPath();
        check(file);
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            Path unnamed = bindUnnamed(listener, file);
            try {
                Files.setPosixFilePermissions(unnamed, PosixFilePermissions.fromString("rw-------"));
                Files.createLink(file, unnamed);
            } finally {
                Files.deleteIfExists(unnamed);
            }
            return listener;
        } catch (FileAlreadyExistsException e) {
            listener.close();
            throw PeerChannel.withCause(new BindException("Address already in use"), e);
        } catch (Throwable failure) {
            listener.close();
            throw failure;
        }
    }

    /** Binds to a temporary file beside the socket's file, and returns it. */
    private static Path bindUnnamed(ServerSocketChannel listener, Path file) throws IOException {
        int room = MAX_PATH - bytes(file) + bytes(file.getFileName());
        for (int attempt = 1; ; attempt++) {
            Path unnamed = unnamed(file, Math.min(room, MAX_UNNAMED));
            try {
                listener.bind(UnixDomainSocketAddress.of(unnamed), PeerChannel.BACKLOG);
                return unnamed;
            } catch (BindException exists) {
                if (attempt == ATTEMPTS) {
                    throw exists;
                }
            }
        }
    }

    /**
     * Connects. Removes the file if no process listens there any more.
     *
     * @throws ConnectException if no process listens
     */
    static void connect(SocketChannel channel, UnixDomainSocketAddress address) throws IOException {
        Path file = address.getPath();
        check(file);
        FileId seen;
        try {
            seen = FileId.of(address);
        } catch (NoSuchFileException e) {
            throw PeerChannel.withCause(new ConnectException("No process listens there yet"), e);
        }
        try {
            channel.connect(address);
        } catch (ConnectException refused) {
            remove(file, seen);
            throw refused;
        } catch (BindException noPermission) {
            throw noPermission;
        } catch (SocketException removed) {
            // The peer has removed the same dead socket in the meantime, or a channel that does not block would have to
            // wait.
            throw PeerChannel.withCause(new ConnectException("No process listens there any more"), removed);
        }
    }

    /** Removes the file if no process listens there any more. Does not wait for a process that listens but does not accept. */
    static void removeDead(UnixDomainSocketAddress address) throws IOException {
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            probe.configureBlocking(false);
            connect(probe, address);
        } catch (ConnectException none) {
            // The file is removed, or there was none, or the process has no room for another connection.
        }
    }

    /** Removes a file, unless another process has removed or replaced it since. */
    static void remove(Path file, FileId seen) throws IOException {
        Path aside = unnamed(file, MAX_UNNAMED);
        try {
            if (!seen.isOf(file)) {
                return;
            }
            Files.move(file, aside, StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException removed) {
            return;
        }
        if (seen.isOf(aside)) {
            Files.delete(aside);
        } else {
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** Refuses a process of another user, which could connect before the permissions of the socket's file were set. */
    static void checkUser(SocketChannel channel) throws IOException {
        UserPrincipal peer =
                channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
        if (!peer.equals(Files.getOwner(Path.of("/proc/self")))) {
            channel.close();
            throw new IOException(
                    "The peer is a process of the user " + peer.getName() + ", not of the user of this process");
        }
    }

    /** Returns a random path of another file in the same folder, whose name has the given length. */
    private static Path unnamed(Path file, int length) {
        while (true) {
            String digits =
                    HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
            // A name that is only a dot would be the folder.
            String name = length == 1 ? digits.substring(0, 1) : "." + digits.substring(0, length - 1);
            Path unnamed = file.resolveSibling(name);
            if (!unnamed.equals(file)) {
                return unnamed;
            }
        }
    }

    private static void check(Path file) throws FileSystemException {
        if (Files.isDirectory(file)) {
            throw new FileSystemException(file.toString(), null, "it is not a socket");
        }
        Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent(), "only a folder is in no other folder");
        if (!Files.isDirectory(folder)) {
            throw new NoSuchFileException(file.toString(), null, "there is no folder " + folder);
        }
        int length = bytes(file);
        if (length > MAX_PATH) {
            throw new FileSystemException(
                    file.toString(),
                    null,
                    "the path has " + length + " bytes, and that of a Unix-domain socket has at most " + MAX_PATH);
        }
    }

    /** Returns the length of a path in the encoding of file names. */
    private static int bytes(Path path) {
        return path.toString().getBytes(Charset.forName(System.getProperty("sun.jnu.encoding"))).length;
    }
}
