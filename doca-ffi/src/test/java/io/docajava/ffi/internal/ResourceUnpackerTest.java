/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResourceUnpackerTest {

    private static final String NAME = "libdocajava.so";

    @TempDir
    private Path work;

    private Path cache;
    private ResourceUnpacker unpacker;
    private byte[] original;

    @BeforeEach
    void create() throws IOException {
        cache = work.resolve("cache/doca-java");
        unpacker = new ResourceUnpacker(LibC.effectiveUser(), List.of(cache));
        original =
                Files.readAllBytes(Path.of("target/classes", Platform.current().resourceFolder(), NAME));
    }

    @Test
    void unpacksIntoAFolderForTheUserAlone() throws IOException {
        Path folder = unpacker.unpack(ResourceUnpacker.class, List.of(NAME));

        assertThat(folder).hasParent(cache).isDirectoryContaining("glob:**/" + NAME);
        assertThat(folder.resolve(NAME)).hasBinaryContent(original);
        assertThat(List.of(cache, folder, folder.resolve(NAME)))
                .allSatisfy(path -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                        .isEqualTo("rwx------"));
        assertThat(files(folder)).containsExactly(NAME);
    }

    @Test
    void usesAgainWhatIsThere() throws IOException {
        Path file = unpacker.unpack(ResourceUnpacker.class, List.of(NAME)).resolve(NAME);
        Object inode = Files.getAttribute(file, "unix:ino");

        Path again = unpacker.unpack(ResourceUnpacker.class, List.of(NAME)).resolve(NAME);

        assertThat(again).isEqualTo(file);
        assertThat(Files.getAttribute(again, "unix:ino")).isEqualTo(inode);
    }

    @Test
    void replacesAFileThatWasTamperedWith() throws IOException {
        Path file = unpacker.unpack(ResourceUnpacker.class, List.of(NAME)).resolve(NAME);
        byte[] tampered = original.clone();
        tampered[tampered.length / 2] ^= 1;
        Files.write(file, tampered);

        unpacker.unpack(ResourceUnpacker.class, List.of(NAME));

        assertThat(file).hasBinaryContent(original);
    }

    @Test
    void replacesALinkThatStandsInTheFilesPlace() throws IOException {
        Path file = unpacker.unpack(ResourceUnpacker.class, List.of(NAME)).resolve(NAME);
        Path elsewhere = Files.write(work.resolve("elsewhere"), original);
        Files.delete(file);
        Files.createSymbolicLink(file, elsewhere);

        unpacker.unpack(ResourceUnpacker.class, List.of(NAME));

        assertThat(file).isRegularFile().hasBinaryContent(original);
        assertThat(Files.isSymbolicLink(file)).isFalse();
    }

    /** The owner of a file can write it as long as it has it open, whatever the permissions of its folder are. */
    @Test
    void replacesAFileOfAnotherUser() throws IOException {
        assumeThat(LibC.effectiveUser()).as("root can give files away").isZero();
        Path file = unpacker.unpack(ResourceUnpacker.class, List.of(NAME)).resolve(NAME);
        Files.setAttribute(file, "unix:uid", 65534);
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            unpacker.unpack(ResourceUnpacker.class, List.of(NAME));

            open.setLength(1);
        }
        assertThat(file).hasBinaryContent(original);
        assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(0);
    }

    @Test
    void replacesAFileThatOthersCanWrite() throws IOException {
        Path file = unpacker.unpack(ResourceUnpacker.class, List.of(NAME)).resolve(NAME);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxrwxrwx"));
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            unpacker.unpack(ResourceUnpacker.class, List.of(NAME));

            open.setLength(1);
        }
        assertThat(file).hasBinaryContent(original);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rwx------");
    }

    @Test
    void replacesAFileThatHasAnotherName() throws IOException {
        Path file = unpacker.unpack(ResourceUnpacker.class, List.of(NAME)).resolve(NAME);
        Path other = Files.createLink(work.resolve("other"), file);

        unpacker.unpack(ResourceUnpacker.class, List.of(NAME));

        assertThat(Files.isSameFile(file, other)).isFalse();
        assertThat(file).hasBinaryContent(original);
    }

    @Test
    void makesAFileExecutableAgain() throws IOException {
        Path file = unpacker.unpack(ResourceUnpacker.class, List.of(NAME)).resolve(NAME);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));

        unpacker.unpack(ResourceUnpacker.class, List.of(NAME));

        assertThat(Files.isExecutable(file)).isTrue();
    }

    @Test
    void emptiesAFolderThatOthersCouldWrite() throws IOException {
        Path folder = unpacker.unpack(ResourceUnpacker.class, List.of(NAME));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.createFile(folder.resolve("libother.so"));
        try (RandomAccessFile open = new RandomAccessFile(folder.resolve(NAME).toFile(), "rw")) {
            unpacker.unpack(ResourceUnpacker.class, List.of(NAME));

            open.setLength(1);
        }
        assertThat(files(folder)).containsExactly(NAME);
        assertThat(folder.resolve(NAME)).hasBinaryContent(original);
    }

    @Test
    void keepsOtherFilesOfANamedFolder() throws IOException {
        Files.createDirectories(cache);
        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path other = Files.createFile(cache.resolve("file of the user"));

        unpacker.unpack(ResourceUnpacker.class, List.of(NAME));

        assertThat(other).exists();
    }

    @Test
    void takesAwayOtherUsersRightsToAnExistingFolder() throws IOException {
        Files.createDirectories(cache);
        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxrwxrwx"));

        unpacker.unpack(ResourceUnpacker.class, List.of(NAME));

        assertThat(Files.getPosixFilePermissions(cache)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void triesTheNextFolderIfOneIsUnsuitable() throws IOException {
        Path blocked = Files.createFile(work.resolve("blocked"));
        ResourceUnpacker two = new ResourceUnpacker(LibC.effectiveUser(), List.of(blocked, cache));

        assertThat(two.unpack(ResourceUnpacker.class, List.of(NAME))).hasParent(cache);
    }

    @Test
    void namesEveryFolderAndItsReasonWhereNoneWillDo() throws IOException {
        Path blocked = Files.createFile(work.resolve("blocked"));
        Files.createDirectories(cache);
        Path link = Files.createSymbolicLink(work.resolve("link"), cache);
        int someoneElse = LibC.effectiveUser() + 1;

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> new ResourceUnpacker(someoneElse, List.of(blocked, link, cache))
                        .unpack(ResourceUnpacker.class, List.of(NAME)))
                .withMessage("""
                        The native files of doca-java cannot be unpacked anywhere:
                          %1$s: it is not a folder
                          %2$s: it is not a folder
                          %3$s: it belongs to another user
                        Make one of these folders usable, or name another one with -Ddoca.native.directory.""", blocked, link, cache);
    }

    @Test
    void saysWhatTheJarLacks() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> unpacker.unpack(ResourceUnpacker.class, List.of("libnone.so")))
                .withMessage(
                        "The jar of io.docajava.ffi.internal.ResourceUnpacker has no /%s/libnone.so",
                        Platform.current().resourceFolder());
    }

    @Test
    void separatesFilesThatDiffer() throws IOException {
        Path one = new ResourceUnpacker(LibC.effectiveUser(), List.of(cache))
                .unpack(ResourceUnpacker.class, List.of(NAME));
        Path none = unpacker.unpack(ResourceUnpacker.class, List.of());

        assertThat(none).isNotEqualTo(one).hasParent(cache);
    }

    @Test
    void saysThatTheJarIsForAnotherArchitecture() throws Exception {
        Platform other = Platform.current().equals(Platform.X86_64) ? Platform.AARCH64 : Platform.X86_64;
        Class<?> owner = ownerOfJar("other", other.resourceFolder(), original);

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> unpacker.unpack(owner, List.of(NAME)))
                .withMessage(
                        "The jar of %s has no /%s/%s: it was built for %s only, but this JVM runs on %s; use a published jar,"
                                + " or build it where a compiler for both is installed",
                        owner.getName(),
                        Platform.current().resourceFolder(),
                        NAME,
                        other.name(),
                        Platform.current().name());
    }

    @Test
    void twoVersionsLiveBesideEachOther() throws Exception {
        String resources = Platform.current().resourceFolder();
        byte[] newer = "another version".getBytes(StandardCharsets.UTF_8);

        Path first = unpacker.unpack(ownerOfJar("first", resources, original), List.of(NAME));
        Path second = unpacker.unpack(ownerOfJar("second", resources, newer), List.of(NAME));
        Path again = unpacker.unpack(ownerOfJar("again", resources, original), List.of(NAME));

        assertThat(second).isNotEqualTo(first);
        assertThat(again).isEqualTo(first);
        assertThat(first.resolve(NAME)).hasBinaryContent(original);
        assertThat(second.resolve(NAME)).hasBinaryContent(newer);
    }

    /** Returns a class of a jar that has the native file with this content. */
    private Class<?> ownerOfJar(String jar, String resources, byte[] content) throws Exception {
        Path root = work.resolve(jar);
        Files.createDirectories(root.resolve(resources));
        Files.write(root.resolve(resources).resolve(NAME), content);
        String file = Owner.class.getName().replace('.', '/') + ".class";
        Files.createDirectories(root.resolve(file).getParent());
        Files.copy(Path.of("target/test-classes", file), root.resolve(file));
        return new URLClassLoader(new URL[] {root.toUri().toURL()}, null).loadClass(Owner.class.getName());
    }

    /** Represents a class of a jar. */
    private static final class Owner {}

    @Test
    void manyAtOnceAgree() throws Exception {
        int threads = 8;
        CyclicBarrier start = new CyclicBarrier(threads);
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            List<Future<Path>> results = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                results.add(executor.submit(() -> {
                    start.await();
                    return unpacker.unpack(ResourceUnpacker.class, List.of(NAME));
                }));
            }
            Path folder = results.getFirst().get();
            for (Future<Path> result : results) {
                assertThat(result.get()).isEqualTo(folder);
            }
            assertThat(files(folder)).containsExactly(NAME);
            assertThat(folder.resolve(NAME)).hasBinaryContent(original);
        }
    }

    private static List<String> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
