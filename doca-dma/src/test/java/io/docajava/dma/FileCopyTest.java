/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.Await;
import io.docajava.testing.CompletionModes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that many concurrent copies of lists copy a large file, in both completion modes. The build runs this test with
 * both engines of the emulator.
 */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class FileCopyTest extends CompletionModes {

    private static final int FILE = 64 << 20;
    private static final int COPY = 500_000;
    private static final int DEPTH = 32;
    /** The sizes are odd, so that elements of source and target have different boundaries. */
    private static final int SOURCE_ELEMENT = 50_021;

    private static final int TARGET_ELEMENT = 70_001;

    @TempDir
    Path folder;

    @Test
    void theCopyOfAFileHasTheSameDigest() throws Exception {
        Path from = folder.resolve("from");
        Path to = folder.resolve("to");
        try (Arena arena = Arena.ofShared()) {
            MemorySegment source = map(from, arena);
            fill(source);
            copy(source, map(to, arena));
        }
        try (Arena arena = Arena.ofConfined()) {
            assertThat(digest(map(to, arena))).isEqualTo(digest(map(from, arena)));
        }
    }

    /** The pages of such a file are read-only: a write would crash the process. */
    @Test
    void aFileThatIsMappedForReadingIsASourceOnly() throws Exception {
        byte[] text = "some text of a file".repeat(1000).getBytes(UTF_8);
        Path file = Files.write(folder.resolve("read-only"), text);
        try (Arena arena = Arena.ofShared();
                Lab lab = new Lab()) {
            MemorySegment mapped;
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                mapped = channel.map(MapMode.READ_ONLY, 0, text.length, arena);
            }
            try (Mmap source = Mmap.registerUnchecked(lab.device, mapped, Access.LOCAL_READ_ONLY)) {
                assertThat(lab.dma
                                .copy(source.all(), lab.memory.range(64, text.length))
                                .await())
                        .isEqualTo(text.length);
                assertThat(lab.memory.segment().asSlice(64, text.length).toArray(ValueLayout.JAVA_BYTE))
                        .isEqualTo(text);
                MapRange from = lab.filled(0, 8);
                MapRange to = source.range(0, 8);
                assertThatThrownBy(() -> lab.dma.copy(from, to))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("The target is in " + source + ", whose access lacks LOCAL_READ_WRITE");
            }
        }
        assertThat(file).hasBinaryContent(text);
    }

    private static void copy(MemorySegment source, MemorySegment target) throws InterruptedException {
        List<Throwable> failures = new ArrayList<>();
        try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
                ProgressEngine engine = ProgressEngine.create().errorHandler(failures::add);
                DmaContext dma = DmaContext.builder(device).maxTasks(DEPTH).start(engine);
                Mmap from = Mmap.registerUnchecked(device, source, Access.LOCAL_READ_ONLY);
                Mmap to = Mmap.registerUnchecked(device, target, Access.LOCAL_READ_WRITE);
                BufInventory buffers = BufInventory.create(1000)) {
            Pipeline pipeline = new Pipeline(dma, buffers, from, to);
            for (int i = 0; i < DEPTH; i++) {
                pipeline.submitNext();
            }
            assertThat(dma.inFlight()).isEqualTo(DEPTH);
            assertThat(engine.await(() -> pipeline.copied == FILE || !failures.isEmpty(), Await.LIMIT))
                    .as("waits for the end of the file")
                    .isTrue();
            assertThat(failures).isEmpty();
            assertThat(buffers.available()).isEqualTo(buffers.size());
        }
    }

    private static MemorySegment map(Path file, Arena arena) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(MapMode.READ_WRITE, 0, FILE, arena);
        }
    }

    private static void fill(MemorySegment segment) {
        byte[] block = new byte[1 << 20];
        Random random = new Random(42);
        for (long offset = 0; offset < segment.byteSize(); offset += block.length) {
            random.nextBytes(block);
            MemorySegment.copy(
                    MemorySegment.ofArray(block),
                    0,
                    segment,
                    offset,
                    Math.min(block.length, segment.byteSize() - offset));
        }
    }

    private static String digest(MemorySegment segment) throws Exception {
        ByteBuffer bytes = segment.asByteBuffer();
        MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
        sha256.update(bytes);
        return HexFormat.of().formatHex(sha256.digest());
    }

    /** Returns the buffers of each completed copy and copies the next part of the file. */
    private static final class Pipeline {

        private final DmaContext dma;
        private final BufInventory buffers;
        private final Mmap from;
        private final Mmap to;
        private long submitted;
        private long copied;

        Pipeline(DmaContext dma, BufInventory buffers, Mmap from, Mmap to) {
            this.dma = dma;
            this.buffers = buffers;
            this.from = from;
            this.to = to;
        }

        void submitNext() {
            long length = Math.min(COPY, FILE - submitted);
            if (length > 0) {
                Buf source = buffers.data(from, submitted, Math.min(SOURCE_ELEMENT, length));
                for (long done = SOURCE_ELEMENT; done < length; done += SOURCE_ELEMENT) {
                    source.append(buffers.data(from, submitted + done, Math.min(SOURCE_ELEMENT, length - done)));
                }
                Buf target = buffers.space(to, submitted, Math.min(TARGET_ELEMENT, length));
                for (long done = TARGET_ELEMENT; done < length; done += TARGET_ELEMENT) {
                    target.append(buffers.space(to, submitted + done, Math.min(TARGET_ELEMENT, length - done)));
                }
                submitted += length;
                dma.copy(source, target, (end, failure) -> copied(source, target, end.bytes(), failure));
            }
        }

        private void copied(Buf source, Buf target, long bytes, @Nullable TaskFailedException failure) {
            if (failure != null) {
                throw failure;
            }
            copied += bytes;
            source.close();
            target.close();
            submitNext();
        }
    }
}
