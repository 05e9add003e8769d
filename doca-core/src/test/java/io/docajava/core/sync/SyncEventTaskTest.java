/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.testing.OpenHandles;
import io.docajava.core.testing.Requirements;
import io.docajava.testing.Await;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests tasks of sync events that are submitted again. */
@ExtendWith(OpenHandles.class)
@Timeout(600)
class SyncEventTaskTest {

    private static final String CONTEXT = "Sync event context on 0000:03:00.0 (mlx5_0)";

    private final List<Throwable> reported = new ArrayList<>();
    private Device device;
    private ProgressEngine engine;
    private SyncEventContext event;

    @BeforeEach
    void open() {
        device = Device.open(DeviceFilter.ibDevice("mlx5_0"));
        engine = ProgressEngine.create();
        engine.errorHandler(reported::add);
        event = SyncEvent.builder(device)
                .publisher(SyncLocation.CPU)
                .subscriber(SyncLocation.CPU)
                .tasks()
                .maxTasks(2)
                .maxTasks(SyncEventTaskType.GET, 0)
                .start(engine);
    }

    @AfterEach
    void close() {
        event.close();
        engine.close();
        device.close();
        assertThat(reported).isEmpty();
    }

    private void run(SyncEventTask task) throws InterruptedException {
        task.submit();
        assertThat(task.status()).isEqualTo(TaskStatus.IN_FLIGHT);
        assertThat(task.isDone()).isFalse();
        assertThat(task.result()).isZero();
        assertThat(engine.await(task::isDone, Await.LIMIT))
                .as("waits for the end of the task")
                .isTrue();
        assertThat(task.status()).isEqualTo(TaskStatus.SUCCEEDED);
        assertThat(task.failure()).isEmpty();
    }

    @Test
    void areSubmittedAgain() throws InterruptedException {
        Requirements.waitingTasks();
        try (SyncEventTask set = event.task(SyncEventOperation.set(5));
                SyncEventTask add = event.task(SyncEventOperation.add(2));
                SyncEventTask equal = event.task(SyncEventOperation.waitEqual(0x107, 0xffff));
                SyncEventTask other = event.task(SyncEventOperation.waitNotEqual(3))) {
            assertThat(set.type()).isEqualTo(SyncEventTaskType.SET);
            assertThat(set.status()).isEqualTo(TaskStatus.NEW);
            run(set);
            assertThat(set.result()).isEqualTo(5);
            run(add);
            assertThat(add.result()).isEqualTo(5);
            run(add);
            assertThat(add.result()).isEqualTo(7);
            run(set.operation(SyncEventOperation.set(0x105)));
            run(add);
            assertThat(add.result()).isEqualTo(0x105);
            run(equal);
            assertThat(equal.result()).isEqualTo(0x107);
            run(add.operation(SyncEventOperation.add(-7)));
            run(equal.operation(SyncEventOperation.waitEqual(0x100, 0xffff)));
            run(other);
            assertThat(other.result()).isEqualTo(3);
            run(other.operation(SyncEventOperation.waitNotEqual(1)));
            assertThat(other.result()).isEqualTo(1);
            assertThat(event.inFlight()).isZero();
        }
    }

    @Test
    void tellAHandlerThatMaySubmitThemAgain() {
        SyncEventTask add = event.task(SyncEventOperation.add(1));
        List<Long> results = new ArrayList<>();
        add.onCompletion(task -> {
            results.add(task.result());
            if (results.size() < 5) {
                task.submit();
            }
        });
        add.submit();
        while (event.inFlight() > 0) {
            engine.progress();
        }
        assertThat(results).containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    @Test
    void areTakenFromThoseOfTheContext() {
        SyncEventTask first = event.task(SyncEventOperation.set(1));
        event.task(SyncEventOperation.set(2));
        String full = CONTEXT
                + " has no free task to set: all 2 are held by open prepared tasks and series; close one, or raise"
                + " maxTasks(SyncEventTaskType.SET, n)";
        assertThatExceptionOfType(ResourceExhaustedException.class)
                .isThrownBy(() -> event.task(SyncEventOperation.set(3)))
                .withMessage(full);
        assertThat(event.submit(SyncEventOperation.set(3)).exceptionNow())
                .isExactlyInstanceOf(ResourceExhaustedException.class)
                .hasMessage(full);
        first.close();
        first.close();
        event.task(SyncEventOperation.set(3));
        assertThatIllegalStateException()
                .isThrownBy(first::submit)
                .withMessage("The task of the " + CONTEXT + " is closed");
        assertThatIllegalStateException()
                .isThrownBy(() -> event.task(SyncEventOperation.get()))
                .withMessage("The " + CONTEXT + " has no tasks to get: it was built without them");
    }

    @Test
    void haveWhatTheirTypeNeeds() {
        Requirements.waitingTasks();
        try (SyncEventTask set = event.task(SyncEventOperation.set(1));
                SyncEventTask add = event.task(SyncEventOperation.add(1))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> set.operation(SyncEventOperation.add(1)))
                    .withMessage("A task to set cannot add");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> add.operation(SyncEventOperation.waitEqual(1)))
                    .withMessage("A task to add cannot wait for a value");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> SyncEventOperation.waitEqual(256, 0xff))
                    .withMessage("A wait for a value equal to 256 in the bits 0xff would never end");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> event.task(SyncEventOperation.waitNotEqual(1, 0xf)))
                    .withMessage("The mask of a wait has all bits of 1, 2, 4 or 8 neighbouring bytes, and is not 0xf");
        }
    }

    @Test
    void failWhenTheirContextStopsAndWorkWhenItHasRestarted() throws InterruptedException {
        Requirements.waitingTasks();
        SyncEventTask wait = event.task(SyncEventOperation.waitEqual(1));
        wait.submit();
        assertThatIllegalStateException()
                .isThrownBy(wait::close)
                .withMessage("Cannot close a task in flight of the " + CONTEXT + ": progress until it is done");
        assertThatIllegalStateException()
                .isThrownBy(() -> wait.operation(SyncEventOperation.waitEqual(2)))
                .withMessage("Cannot change a task in flight of the " + CONTEXT + ": progress until it is done");
        event.stop();
        assertThat(engine.await(wait::isDone, Await.LIMIT))
                .as("waits for the end of the wait")
                .isTrue();
        assertThat(wait.status()).isEqualTo(TaskStatus.FAILED);
        assertThat(wait.failure().orElseThrow().reason()).isEqualTo(TaskFailedException.Reason.CANCELLED);
        assertThatExceptionOfType(ContextNotRunningException.class)
                .isThrownBy(wait::submit)
                .withMessageContaining(CONTEXT + " is ");
        wait.close();
    }
}
