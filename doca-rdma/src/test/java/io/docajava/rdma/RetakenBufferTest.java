/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.internal.memory.BufImpl;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.Mmap;
import io.docajava.junit.DocaExtension;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests native buffers that an inventory reuses for other memory. The SDK reads the key of a remote buffer when a task gets the
 * buffer, so the task must get it again although the pointer is the same.
 */
@ExtendWith(DocaExtension.class)
class RetakenBufferTest {

    private static final int LENGTH = 64;
    private static final int ROUNDS = 4;

    private RdmaLab lab;
    private Mmap[] memories;
    private Mmap[] remotes;
    /** The inventory has one buffer, so that the native one is always the same. */
    private BufInventory inventory;

    private long pointer;

    @BeforeEach
    void open() {
        lab = new RdmaLab(builder -> builder.maxTasks(1));
        memories = new Mmap[2];
        remotes = new Mmap[2];
        for (int i = 0; i < 2; i++) {
            memories[i] = Mmap.allocate(lab.there.device, 4096, Side.ALL);
            remotes[i] = Mmap.fromExport(lab.here.device, memories[i].exportRdma(lab.there.device));
        }
        inventory = BufInventory.create(1);
        try (Buf remote = inventory.space(remotes[0], 0, LENGTH)) {
            pointer = BufImpl.list(remote).pointer();
        }
    }

    @AfterEach
    void close() {
        inventory.close();
        for (Mmap remote : remotes) {
            remote.close();
        }
        for (Mmap memory : memories) {
            memory.close();
        }
        lab.close();
    }

    @Test
    void ofWrites() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            try (Buf source = lab.here.data(round, LENGTH);
                    Buf remote = take(round, 0)) {
                assertThat(lab.get(lab.connection.write(source, remote))).isEqualTo(LENGTH);
            }
            assertThat(memories[round % 2]
                            .segment()
                            .asSlice(0, LENGTH)
                            .mismatch(lab.here.memory.segment().asSlice(round, LENGTH)))
                    .isEqualTo(-1);
        }
    }

    @Test
    void ofReads() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            memories[round % 2].segment().set(ValueLayout.JAVA_BYTE, 0, (byte) (round + 1));
            try (Buf target = lab.here.space(1000, LENGTH);
                    Buf remote = take(round, LENGTH)) {
                assertThat(lab.get(lab.connection.read(remote, target))).isEqualTo(LENGTH);
            }
            assertThat(lab.here.memory.segment().get(ValueLayout.JAVA_BYTE, 1000))
                    .isEqualTo((byte) (round + 1));
        }
    }

    @Test
    void ofAtomicOperations() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            memories[round % 2].segment().set(ValueLayout.JAVA_LONG, 0, 100L * round);
            try (Buf remote = take(round, 0)) {
                assertThat(lab.get(lab.connection.submit(RdmaOperation.fetchAdd(remote, 1))))
                        .isEqualTo(100L * round);
            }
            try (Buf remote = take(round, 0)) {
                assertThat(lab.get(lab.connection.submit(RdmaOperation.compareAndSwap(remote, 100L * round + 1, 7))))
                        .isEqualTo(100L * round + 1);
            }
            assertThat(memories[round % 2].segment().get(ValueLayout.JAVA_LONG, 0))
                    .isEqualTo(7);
        }
    }

    /** Submits a task of the user, which keeps its buffers while they are aimed at other memory. */
    @Test
    void ofTasks() throws Exception {
        try (Buf source = lab.here.data(0, LENGTH);
                Buf remote = take(0, 0);
                RdmaTask write = lab.connection.task(RdmaOperation.write(source, remote))) {
            for (int round = 0; round < ROUNDS; round++) {
                remote.reuseAsSpace((long) round * LENGTH, LENGTH);
                write.submit();
                lab.await(write::isDone);
                assertThat(memories[0]
                                .segment()
                                .asSlice((long) round * LENGTH, LENGTH)
                                .mismatch(lab.here.memory.segment().asSlice(0, LENGTH)))
                        .isEqualTo(-1);
            }
        }
    }

    private Buf take(int round, long dataLength) {
        Mmap map = remotes[round % 2];
        Buf remote = dataLength == 0 ? inventory.space(map, 0, LENGTH) : inventory.data(map, 0, dataLength);
        assertThat(BufImpl.list(remote).pointer()).isEqualTo(pointer);
        return remote;
    }
}
