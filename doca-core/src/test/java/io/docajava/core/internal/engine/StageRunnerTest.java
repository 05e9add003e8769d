/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.internal.lifecycle.OwnerThread;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests when and where the stages of completions run. */
@Timeout(600)
class StageRunnerTest {

    private final List<String> ran = new ArrayList<>();
    private final StageRunner own = new StageRunner(new OwnerThread(), () -> {});

    private Runnable stage(String name) {
        return () -> ran.add(name);
    }

    private static void addElsewhere(StageRunner runner, Runnable... stages) throws InterruptedException {
        Thread.ofPlatform()
                .start(() -> {
                    for (Runnable stage : stages) {
                        runner.execute(stage);
                    }
                })
                .join();
    }

    @Test
    void stagesOfOtherThreadsRunInTheirOrder() throws Exception {
        addElsewhere(own, stage("first"), stage("second"), stage("third"));
        assertThat(ran).isEmpty();
        assertThat(own.isAny()).isTrue();
        assertThat(own.run()).isEqualTo(3);
        assertThat(ran).containsExactly("first", "second", "third");
        assertThat(own.isAny()).isFalse();
    }

    /** The thread has ended since the caller looked, and runs nothing any more. */
    @Test
    void aStageRunsAlthoughTheThreadEndsMeanwhile() throws Exception {
        CompletableFuture<OwnerThread> owner = new CompletableFuture<>();
        CompletableFuture<Void> end = new CompletableFuture<>();
        Thread thread = Thread.ofPlatform().start(() -> {
            owner.complete(new OwnerThread());
            end.join();
        });
        StageRunner runner = new StageRunner(owner.join(), () -> {
            end.complete(null);
            awaitEnd(thread);
        });
        runner.execute(stage("late"));
        assertThat(ran).containsExactly("late");
        assertThat(runner.isAny()).isFalse();
    }

    private static void awaitEnd(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The started stage runs when the first one has returned. If it ran inside, a long chain of stages would overflow the stack. */
    @Test
    void aStageThatProgressesDoesNotRunTheNextOneInsideOfItself() throws Exception {
        own.execute(() -> {
            addElsewhereUnchecked(stage("of another thread"));
            assertThat(own.run()).isEqualTo(1);
            own.execute(stage("started"));
            ran.add("end");
        });
        assertThat(ran).containsExactly("of another thread", "end", "started");
    }

    private void addElsewhereUnchecked(Runnable stage) {
        try {
            addElsewhere(own, stage);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void stagesRunOnTheCallersThreadAfterTheEnd() throws Exception {
        addElsewhere(own, stage("before"));
        own.close();
        assertThat(ran).containsExactly("before");
        List<Thread> threads = new ArrayList<>();
        addElsewhere(own, () -> threads.add(Thread.currentThread()));
        assertThat(threads).hasSize(1).doesNotContain(Thread.currentThread());
        own.close();
        assertThat(ran).containsExactly("before");
    }
}
