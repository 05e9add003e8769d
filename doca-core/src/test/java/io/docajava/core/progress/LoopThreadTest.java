/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.internal.engine.LoopRooms;
import io.docajava.core.testing.OpenHandles;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests work that is queued when the thread of a loop has ended. */
@ExtendWith(OpenHandles.class)
@Timeout(600)
class LoopThreadTest {

    /** The caller has seen that the loop accepts work, and queues it when the thread has ended. */
    @Test
    void workThatComesAfterTheEndFails() throws Exception {
        List<Throwable> reported = new ArrayList<>();
        LoopThread loop =
                new LoopThread(ProgressLoop.builder().name("ended").errorHandler(reported::add), new LoopRooms(1));
        loop.startEngine();
        loop.requestClose();
        loop.join();
        List<LoopTask> commands = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            LoopTask command = new LoopTask(loop, () -> {});
            commands.add(command);
            loop.offer(command);
        }
        assertThat(commands)
                .allSatisfy(command -> assertThat(command.exceptionNow())
                        .isExactlyInstanceOf(IllegalStateException.class)
                        .hasMessage("ProgressLoop \"ended\" was closed before this was complete"));
        assertThat(reported)
                .containsExactlyElementsOf(
                        commands.stream().map(LoopTask::exceptionNow).toList());
    }
}
