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
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/** Parts of the exchange that are specific to Unix-domain sockets: the file of it, and the user on the other side. */
final class UnixMeeting {

    private UnixMeeting() {}

    /** Which file it is that is there: a number is used again, though not at the same time. */
    private record Stamp(@Nullable Object key, FileTime modified) {

        static Stamp of(Path file) throws IOException {
            BasicFileAttributes there =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!there.isOther()) {
                throw new FileSystemException(file.toString(), null, "it is no socket");
            }
            return new Stamp(there.fileKey(), there.lastModifiedTime());
        }
    }

    /**
     * Listens. The socket gets its name when it listens already: one that refuses is of nobody any more.
     *
     * @throws BindException if there is a file of that name
     */
    static ServerSocketChannel listen(UnixDomainSocketAddress address) throws IOException {
        Path file = address.getPath();
        checkFolder(file);
        Path unnamed = unnamed(file);
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            listener.bind(UnixDomainSocketAddress.of(unnamed), Meeting.BACKLOG);
            Files.setPosixFilePermissions(unnamed, PosixFilePermissions.fromString("rw-------"));
            Files.createLink(file, unnamed);
            return listener;
        } catch (FileAlreadyExistsException e) {
            listener.close();
            throw (BindException) new BindException("Address already in use").initCause(e);
        } catch (Throwable failure) {
            listener.close();
            throw failure;
        } finally {
            Files.deleteIfExists(unnamed);
        }
    }

    /**
     * Connects, and removes the file of a process that has ended without doing so.
     *
     * @throws ConnectException if nobody listens
     */
    static void connect(SocketChannel channel, UnixDomainSocketAddress address) throws IOException {
        Path file = address.getPath();
        checkFolder(file);
        Stamp seen;
        try {
            seen = Stamp.of(file);
        } catch (NoSuchFileException e) {
            throw (ConnectException) new ConnectException("Nobody is there yet").initCause(e);
        }
        try {
            channel.connect(address);
        } catch (ConnectException refused) {
            remove(file, seen);
            throw refused;
        } catch (BindException noPermission) {
            throw noPermission;
        } catch (SocketException removed) {
            // The peer has found the same dead socket, and was faster.
            throw (ConnectException) new ConnectException("Nobody is there any more").initCause(removed);
        }
    }

    /** Removes the file of a process that has ended without doing so. */
    static void removeDead(UnixDomainSocketAddress address) throws IOException {
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            connect(probe, address);
        } catch (ConnectException none) {
            // The file is removed, or there was none.
        }
    }

    /** Removes a file unless it was replaced by the peer meanwhile, who may do the same. */
    private static void remove(Path file, Stamp seen) throws IOException {
        Path aside = unnamed(file);
        try {
            Files.move(file, aside, StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException byThePeer) {
            return;
        }
        if (Stamp.of(aside).equals(seen)) {
            Files.delete(aside);
        } else {
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** Lets only the own user take part: between its creation and its permissions, a socket is open to others. */
    static void checkUser(SocketChannel channel) throws IOException {
        UserPrincipal peer =
                channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
        if (!peer.equals(Files.getOwner(Path.of("/proc/self")))) {
            channel.close();
            throw new IOException("The peer is a process of the user " + peer.getName() + ", and not of this one's");
        }
    }

    private static Path unnamed(Path file) {
        return file.resolveSibling(
                "." + Long.toHexString(ThreadLocalRandom.current().nextLong()));
    }

    private static void checkFolder(Path file) throws NoSuchFileException {
        Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent(), "a socket is in a folder");
        if (!Files.isDirectory(folder)) {
            throw new NoSuchFileException(file.toString(), null, "there is no folder " + folder);
        }
    }
}
