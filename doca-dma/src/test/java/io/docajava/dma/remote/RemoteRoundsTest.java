/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.junit.DocaEmulator;
import io.docajava.junit.PeerJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that two processes that share memory repeatedly leak nothing. */
@Timeout(600)
class RemoteRoundsTest {

    private static final int ROUNDS = 1000;
    private static final int BYTES = 65536;
    /** Half of the growth if each round leaked its memory. */
    private static final long NOISE = ROUNDS * (long) BYTES / 2;

    @Test
    void leaveNothingBehind() throws Exception {
        try (PeerJvm host = HostMemory.start();
                PeerJvm dpu = HostMemory.peer(DocaEmulator.Role.DPU).start(ImportRounds.class)) {
            share(host, dpu, ROUNDS / 10);
            Set<String> files = temporaryFiles();
            Resources ofHost = Resources.parse(host.ask("resources"));
            Resources ofDpu = Resources.parse(dpu.ask("resources"));
            share(host, dpu, ROUNDS);
            Resources ofDpuThen = Resources.parse(dpu.ask("resources"));
            if (ofDpuThen.descriptors() != ofDpu.descriptors()) {
                // A JVM opens some files on first use, but not repeatedly.
                assertThat(ofDpuThen.descriptors()).isLessThan(ofDpu.descriptors() + ROUNDS / 10);
                ofDpu = ofDpuThen;
                share(host, dpu, ROUNDS);
                ofDpuThen = Resources.parse(dpu.ask("resources"));
            }

            assertUnchanged(ofHost, Resources.parse(host.ask("resources")));
            assertUnchanged(ofDpu, ofDpuThen);
            Set<String> left = temporaryFiles();
            left.removeAll(files);
            assertThat(left)
                    .as("files of other programs, and not one of each round")
                    .hasSizeLessThan(ROUNDS / 10);
        }
    }

    private static void share(PeerJvm host, PeerJvm dpu, int rounds) throws InterruptedException {
        for (int i = 0; i < rounds; i++) {
            assertThat(dpu.ask(host.ask("export " + BYTES + " PCI_READ_ONLY"))).isEqualTo("true");
        }
        assertThat(host.ask("close")).isEqualTo("closed");
    }

    private static void assertUnchanged(Resources before, Resources after) {
        assertThat(after.descriptors()).as("open files").isEqualTo(before.descriptors());
        assertThat(after.files()).as("mapped files").isEqualTo(before.files());
        // A JVM, a library or a card starts a thread of its own later, but not in each round.
        assertThat(after.threads()).as("threads").isLessThan(before.threads() + ROUNDS / 10);
        assertThat(after.resident()).as("bytes of memory").isLessThan(before.resident() + NOISE);
    }

    /** Returns the temporary files that could belong to the emulator. Other programs that use it create some meanwhile. */
    private static Set<String> temporaryFiles() throws IOException {
        Set<String> names = new TreeSet<>();
        for (String folder : new String[] {"/tmp", "/dev/shm"}) {
            try (Stream<Path> entries = Files.list(Path.of(folder))) {
                entries.map(Path::toString)
                        .filter(name -> name.toLowerCase(Locale.ROOT).contains("doca"))
                        .forEach(names::add);
            }
        }
        return names;
    }
}
