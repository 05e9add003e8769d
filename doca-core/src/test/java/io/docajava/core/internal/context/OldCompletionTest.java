/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.docajava.DocaException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncEventContext;
import io.docajava.core.sync.SyncEventOperation;
import io.docajava.core.sync.SyncEventTask;
import io.docajava.core.sync.SyncEventTaskType;
import io.docajava.core.sync.SyncLocation;
import io.docajava.core.testing.OpenHandles;
import io.docajava.testing.Await;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that a completion is not taken for that of another task, whose operation has the same index. */
@ExtendWith(OpenHandles.class)
@Timeout(600)
class OldCompletionTest {

    private Device device;
    private ProgressEngine engine;
    private SyncEventContext event;
    private AbstractContext core;
    private SyncEventTask task;

    @BeforeEach
    void open() {
        device = Device.open(DeviceFilter.ibDevice("mlx5_0"));
        engine = ProgressEngine.create();
        event = SyncEvent.builder(device)
                .publisher(SyncLocation.CPU)
                .subscriber(SyncLocation.CPU)
                .tasks()
                .start(engine);
        core = AbstractContext.of(event);
        task = event.task(SyncEventOperation.add(1));
    }

    @AfterEach
    void close() {
        event.close();
        engine.close();
        device.close();
    }

    private long userData() {
        return AbstractTask.of(task).userData();
    }

    private void complete() throws InterruptedException {
        task.submit();
        assertThat(engine.await(task::isDone, Await.LIMIT)).isTrue();
    }

    private void assertRefused(long userData) {
        assertThatExceptionOfType(DocaException.class)
                .isThrownBy(() -> core.taskFailed(userData, 0))
                .withMessage(event + ": completion of a task that is not in flight (user data 0x"
                        + Long.toHexString(userData) + ")");
    }

    @Test
    void aSecondCompletionIsRefused() throws Exception {
        complete();
        assertRefused(userData());
        assertThat(task.status()).isEqualTo(TaskStatus.SUCCEEDED);
    }

    /** The upper half of the user data counts the native tasks that the operation has had. */
    @Test
    void theCompletionOfAnotherTaskOfTheOperationIsRefused() throws Exception {
        task.submit();
        assertRefused(userData() - (1L << Integer.SIZE));
        assertRefused(userData() + (1L << Integer.SIZE));
        assertThat(task.status()).isEqualTo(TaskStatus.IN_FLIGHT);
        assertThat(engine.await(task::isDone, Await.LIMIT)).isTrue();
        assertThat(task.status()).isEqualTo(TaskStatus.SUCCEEDED);
    }

    @Test
    void theIndexBehindTheLastOperationIsRefused() throws Exception {
        complete();
        int operations = Arrays.stream(SyncEventTaskType.values())
                .mapToInt(event::maxTasks)
                .sum();
        assertRefused(operations);
        assertRefused(-1);
    }
}
