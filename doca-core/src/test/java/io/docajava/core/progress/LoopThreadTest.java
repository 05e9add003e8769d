/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.testing.OpenHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests work that is queued when the thread of a loop has ended. */
@ExtendWith(OpenHandles.class)
@Timeout(60)
class LoopThreadTest {

    /** The caller has seen that the loop accepts work, and queues it when the thread has ended. */
    @Test
    void workThatComesAfterTheEndFails() throws Exception {
        LoopThread loop = new LoopThread(ProgressLoop.builder().name("ended"), new LoopRoom(1));
        loop.startEngine();
        loop.requestClose();
        loop.join();
        List<LoopCommand<Void>> commands = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            LoopSubmission<Void> command = new LoopSubmission<>(loop, CompletableFuture::new);
            commands.add(command);
            loop.offer(command);
        }
        assertThat(commands)
                .allSatisfy(command -> assertThat(command.exceptionNow())
                        .isExactlyInstanceOf(IllegalStateException.class)
                        .hasMessage("ProgressLoop \"ended\" was closed before this was complete"));
    }
}
