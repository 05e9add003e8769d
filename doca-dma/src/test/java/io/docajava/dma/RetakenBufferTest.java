/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.graph.ContextNode;
import io.docajava.core.graph.Graph;
import io.docajava.core.graph.GraphBuilder;
import io.docajava.core.graph.GraphInstance;
import io.docajava.core.internal.memory.BufImpl;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.Mmap;
import io.docajava.testing.CompletionModes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests native buffers that an inventory reuses for other memory. The SDK reads the key of a target when the task gets the
 * target, so the task must get it again although the pointer is the same.
 */
class RetakenBufferTest extends CompletionModes {

    private static final int LENGTH = 64;

    private Lab lab;
    private Mmap first;
    private Mmap second;
    private Buf source;
    /** The inventory has one buffer, so that the native one is always the same. */
    private BufInventory targets;

    private long pointer;

    @BeforeEach
    void open() {
        lab = new Lab(1);
        first = Mmap.allocate(lab.device, 4096, Access.LOCAL_READ_WRITE);
        second = Mmap.allocate(lab.device, 4096, Access.LOCAL_READ_WRITE);
        source = lab.data(0, LENGTH);
        targets = BufInventory.create(1);
        try (Buf target = targets.space(first, 0, LENGTH)) {
            pointer = BufImpl.list(target).pointer();
        }
    }

    @AfterEach
    void close() {
        targets.close();
        first.close();
        second.close();
        lab.close();
    }

    @Test
    void ofACopyWithAFuture() throws Exception {
        for (int round = 0; round < 4; round++) {
            try (Buf target = take(round)) {
                assertThat(lab.dma.copy(source, target).await()).isEqualTo(LENGTH);
            }
            assertCopied(round);
        }
    }

    @Test
    void ofACopyWithAHandler() throws Exception {
        Counter handler = new Counter();
        for (int round = 0; round < 4; round++) {
            Buf target = take(round);
            lab.dma.copy(source, target, handler);
            lab.drain();
            target.close();
            assertCopied(round);
        }
        assertThat(handler.copied).isEqualTo(4);
    }

    @Test
    void ofADeferredCopy() throws Exception {
        Counter handler = new Counter();
        for (int round = 0; round < 4; round++) {
            Buf target = take(round);
            lab.dma.copy(source, target, handler);
            lab.dma.flush();
            lab.drain();
            target.close();
            assertCopied(round);
        }
        assertThat(handler.copied).isEqualTo(4);
    }

    @Test
    void ofATask() throws Exception {
        try (DmaTask task = lab.dma.task(source, source)) {
            for (int round = 0; round < 4; round++) {
                try (Buf target = take(round)) {
                    task.target(target).submit();
                    lab.drain();
                    assertThat(task.status()).isEqualTo(TaskStatus.SUCCEEDED);
                }
                assertCopied(round);
            }
        }
    }

    @Test
    void ofADeferredTask() throws Exception {
        try (DmaTask task = lab.dma.task(source, source)) {
            for (int round = 0; round < 4; round++) {
                try (Buf target = take(round)) {
                    task.target(target);
                    task.submit();
                    lab.dma.flush();
                    lab.drain();
                    assertThat(task.status()).isEqualTo(TaskStatus.SUCCEEDED);
                }
                assertCopied(round);
            }
        }
    }

    @Test
    void ofATaskOfAGraph() throws Exception {
        GraphBuilder builder = Graph.builder(lab.engine);
        ContextNode node = builder.context(lab.dma);
        try (Graph graph = builder.start();
                DmaTask task = lab.dma.task(source, source);
                GraphInstance instance = graph.instance().set(node, task)) {
            for (int round = 0; round < 4; round++) {
                try (Buf target = take(round)) {
                    task.target(target);
                    instance.submit().await();
                }
                assertCopied(round);
            }
        }
    }

    private Buf take(int round) {
        Buf target = targets.space(memory(round), 0, LENGTH);
        assertThat(BufImpl.list(target).pointer()).isEqualTo(pointer);
        return target;
    }

    private Mmap memory(int round) {
        return round % 2 == 0 ? first : second;
    }

    private void assertCopied(int round) {
        assertThat(memory(round)
                        .segment()
                        .asSlice(0, LENGTH)
                        .mismatch(lab.memory.segment().asSlice(0, LENGTH)))
                .isEqualTo(-1);
        memory(round).segment().fill((byte) 0);
    }

    private static final class Counter implements Handler<CopyEnd> {

        private int copied;

        @Override
        public void ended(CopyEnd end, @Nullable TaskFailedException failure) {
            if (failure != null) {
                throw failure;
            }
            copied++;
        }
    }
}
