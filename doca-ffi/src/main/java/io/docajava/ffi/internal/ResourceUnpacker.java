/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/** Unpacks native files of a jar into a folder that only the user can access. */
public final class ResourceUnpacker {

    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");
    private static final FileAttribute<?> CREATED_PRIVATE = PosixFilePermissions.asFileAttribute(PRIVATE);

    private final int user;
    private final List<Path> candidates;

    /**
     * Unpacks for a user.
     *
     * @param user the id of the user that must own the folder
     * @param candidates the folders to try, in order; created where missing
     */
    ResourceUnpacker(int user, List<Path> candidates) {
        this.user = user;
        this.candidates = candidates;
    }

    /**
     * Unpacks into the folder of {@code doca.native.directory}. Without it, unpacks into the cache folder of this process's user,
     * or else into the folder for temporary files.
     */
    public static ResourceUnpacker ofThisUser() {
        NativeAccess.require();
        int user = LibC.effectiveUser();
        String named = System.getProperty("doca.native.directory");
        if (named != null && !named.isBlank()) {
            return new ResourceUnpacker(user, List.of(Path.of(named.strip()).toAbsolutePath()));
        }
        String cache = System.getenv("XDG_CACHE_HOME");
        Path home = Path.of(System.getProperty("user.home"));
        Path temporary = Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
        return new ResourceUnpacker(
                user,
                Stream.of(
                                cache == null || cache.isBlank()
                                        ? home.resolve(".cache/doca-java")
                                        : Path.of(cache, "doca-java"),
                                temporary.resolve("doca-java-" + user))
                        .filter(Path::isAbsolute)
                        .toList());
    }

    /** See {@link io.docajava.ffi.NativeResources#unpack}. */
    public Path unpack(Class<?> owner, List<String> names) throws IOException {
        return unpack(owner, "", names);
    }

    /** The same for files in a subfolder of the architecture's folder. */
    public Path unpack(Class<?> owner, String folder, List<String> names) throws IOException {
        Map<String, byte[]> files = read(owner, folder.isEmpty() ? "" : folder + "/", names);
        String name = checksum(files);
        List<String> failures = new ArrayList<>();
        for (Path candidate : candidates) {
            try {
                makePrivate(candidate);
                Path release = candidate.resolve(name);
                // Other users may still have files open that they could write as long as the folder was public.
                if (makePrivate(release)) {
                    empty(release);
                }
                return unpackInto(release, files);
            } catch (IOException e) {
                failures.add("  " + candidate + ": " + reason(e));
            }
        }
        throw new IOException("The native files of doca-java cannot be unpacked anywhere:\n"
                + String.join("\n", failures)
                + "\nMake one of these folders usable, or name another one with -Ddoca.native.directory.");
    }

    /** Returns the reason with the class name, because some exceptions of the JDK tell the reason only by their class. */
    private static String reason(IOException e) {
        return e instanceof FileSystemException ? e.toString() : String.valueOf(e.getMessage());
    }

    private static Map<String, byte[]> read(Class<?> owner, String prefix, List<String> names) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        for (String name : names) {
            String resource = "/" + Platform.current().resourceFolder() + "/" + prefix + name;
            try (InputStream in = owner.getResourceAsStream(resource)) {
                if (in == null) {
                    throw new FileNotFoundException(missing(owner, prefix + name, resource));
                }
                files.put(name, in.readAllBytes());
            }
        }
        return files;
    }

    private static String missing(Class<?> owner, String name, String resource) {
        String text = "The jar of " + owner.getName() + " has no " + resource;
        for (Platform platform : Platform.ALL) {
            if (owner.getResource("/" + platform.resourceFolder() + "/" + name) != null) {
                return text + ": it was built for " + platform.name() + " only, but this JVM runs on "
                        + Platform.current().name()
                        + "; use a published jar, or build it where a compiler for both is installed";
            }
        }
        return text;
    }

    private Path unpackInto(Path folder, Map<String, byte[]> files) throws IOException {
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Path path = folder.resolve(file.getKey());
            if (!holds(path, file.getValue())) {
                replace(path, file.getValue());
            }
            // The file has its x bit. Linux returns false on a noexec mount, where the loader could not map the code.
            if (!Files.isExecutable(path)) {
                throw new IOException("its file system does not allow executing files (noexec)");
            }
        }
        return folder;
    }

    /** Creates a folder that only the user can access, or makes an existing one private; returns whether it was public. */
    private boolean makePrivate(Path folder) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            Path parent = folder.getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            try {
                Files.createDirectory(folder, CREATED_PRIVATE);
            } catch (FileAlreadyExistsException e) {
                if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                    throw new IOException("it is not a folder", e);
                }
            }
        }
        if (!isOwn(folder)) {
            throw new IOException("it belongs to another user");
        }
        if (isPrivate(folder)) {
            return false;
        }
        Files.setPosixFilePermissions(folder, PRIVATE);
        if (!isPrivate(folder)) {
            throw new IOException("its file system does not keep other users out");
        }
        return true;
    }

    private boolean isOwn(Path path) throws IOException {
        return Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS).equals(user);
    }

    private static boolean isPrivate(Path path) throws IOException {
        return Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS).equals(PRIVATE);
    }

    private static void empty(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** Returns whether a file has the content, and no other user can change it. */
    private boolean holds(Path path, byte[] content) throws IOException {
        return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
                && isOwn(path)
                && isPrivate(path)
                && Files.getAttribute(path, "unix:nlink", LinkOption.NOFOLLOW_LINKS)
                        .equals(1)
                && Arrays.equals(Files.readAllBytes(path), content);
    }

    /** Replaces a file atomically, because other JVMs may have the old one mapped or replace it at the same time. */
    private static void replace(Path path, byte[] content) throws IOException {
        // Not by Files.createTempFile(): if no file descriptor is free, the JDK's random numbers fail for the rest of
        // the process.
        String number = Long.toHexString(ThreadLocalRandom.current().nextLong());
        Path fresh = path.resolveSibling("." + path.getFileName() + "." + number + ".unpacking");
        Files.createFile(fresh, CREATED_PRIVATE);
        try {
            Files.write(fresh, content);
            Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    /**
     * Returns a folder name for the files. A checksum is good enough to distinguish the folders of one user, because a file is
     * compared in full before it is used. Unlike a digest, it is quick in a JVM that has just started.
     */
    private static String checksum(Map<String, byte[]> files) {
        CRC32 first = new CRC32();
        CRC32C second = new CRC32C();
        files.forEach((name, content) -> {
            for (byte[] part :
                    List.of((name + " " + content.length + "\n").getBytes(StandardCharsets.UTF_8), content)) {
                first.update(part);
                second.update(part);
            }
        });
        return HexFormat.of().toHexDigits(first.getValue() << Integer.SIZE | second.getValue());
    }
}
