/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.Doca;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.internal.engine.OperationCompletion;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.BufPool;
import io.docajava.core.memory.Mmap;
import io.docajava.core.testing.ChildJvm;
import io.docajava.core.testing.LogCapture;
import io.docajava.testing.Await;
import io.docajava.testing.HostileException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(600)
@SuppressWarnings("try") // the tests also close resources of try
class ProgressLoopTest {

    static List<IdleStrategy> strategies() {
        return List.of(
                IdleStrategy.busySpin(),
                IdleStrategy.yielding(),
                IdleStrategy.backoff(),
                IdleStrategy.eventDriven(),
                IdleStrategy.eventDriven(0));
    }

    @Test
    void throwsTheErrorOfItsThreadAtTheStart() throws Exception {
        assertThat(new ChildJvm().option("-Xss" + smallestStack() + "k").run(SmallStack.class))
                .containsExactly("java.lang.StackOverflowError: A call of DOCA needs 112 KiB of the stack");
    }

    /** Returns the size of the smallest stack in KiB that the JVM accepts, which depends on the size of pages. */
    private static int smallestStack() throws IOException {
        String refusal = new String(
                new ChildJvm()
                        .option("-Xss1k")
                        .start(SmallStack.class)
                        .getInputStream()
                        .readAllBytes(),
                StandardCharsets.UTF_8);
        Matcher least = Pattern.compile("Specify at least ([0-9]+)k").matcher(refusal);
        assertThat(least.find()).as(refusal).isTrue();
        return Integer.parseInt(least.group(1));
    }

    /** Starts a loop, whose thread has too small a stack for an engine. */
    static final class SmallStack {

        public static void main(String[] arguments) throws InterruptedException {
            Runnable start = () -> {
                Doca.load();
                try (ProgressLoop loop = ProgressLoop.start()) {
                    System.out.println(loop);
                } catch (Throwable e) {
                    System.out.println(e);
                }
            };
            Thread thread = new Thread(null, start, "large stack", 8 << 20);
            thread.start();
            thread.join();
        }
    }

    @Test
    void runsCallsOnItsOwnThread() {
        try (ProgressLoop loop = ProgressLoop.builder().name("mover").start()) {
            Thread thread = loop.call(engine -> {
                        assertThat(engine.thread()).isSameAs(Thread.currentThread());
                        return Thread.currentThread();
                    })
                    .join();
            assertThat(thread).isSameAs(loop.thread());
            assertThat(thread.getName()).isEqualTo("mover");
            assertThat(thread.isDaemon()).isTrue();
        }
    }

    @Test
    void onlyTheLoopClosesItsEngine() {
        try (ProgressLoop loop = ProgressLoop.builder().name("mover").start()) {
            CompletableFuture<Boolean> closing = loop.call(engine -> {
                engine.close();
                return true;
            });
            assertThatThrownBy(closing::join)
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(
                            "ProgressEngine of thread \"mover\" belongs to ProgressLoop \"mover\", which closes it");
            assertThat(loop.call(engine -> engine.progress()).join()).isZero();
        }
    }

    @Test
    void itsThreadCanKeepTheJvmAlive() {
        try (ProgressLoop loop = ProgressLoop.builder().daemon(false).start()) {
            assertThat(loop.thread().isDaemon()).isFalse();
            assertThat(loop.thread().getName()).matches("doca-progress-[0-9]+");
        }
    }

    /** The memory can be closed only when no buffer refers to it. */
    @Test
    void closesTheInventoriesAndPoolsThatWereMadeOnIt() {
        try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
                Mmap memory = Mmap.allocate(device, 1024, Access.LOCAL_READ_WRITE);
                BufInventory elsewhere = BufInventory.create(1)) {
            ProgressLoop loop = ProgressLoop.start();
            BufInventory closedBefore =
                    loop.call(engine -> BufInventory.create(3)).join();
            BufInventory inventory = loop.call(engine -> BufInventory.create(4)).join();
            BufPool pool = loop.call(engine -> BufPool.create(memory, 2, 64)).join();
            Buf buffer = loop.call(engine -> inventory.data(memory, 0, 8)).join();
            loop.call(engine -> {
                        closedBefore.close();
                        return pool.take();
                    })
                    .join();
            loop.close();
            for (AutoCloseable closed : List.of(inventory, pool, buffer)) {
                assertThatCode(closed::close).doesNotThrowAnyException();
            }
            assertThatThrownBy(inventory::available).hasMessage("BufInventory of 4 is closed");
            assertThatThrownBy(pool::available).hasMessage(pool + " is closed");
            assertThat(elsewhere.available()).isEqualTo(1);
        }
    }

    @Test
    void loopsHaveNamesOfTheirOwn() {
        try (ProgressLoop one = ProgressLoop.start();
                ProgressLoop other = ProgressLoop.start()) {
            assertThat(one.thread().getName()).isNotEqualTo(other.thread().getName());
            assertThat(one).hasToString("ProgressLoop \"" + one.thread().getName() + "\"");
            other.close();
            assertThat(other).hasToString("ProgressLoop \"" + other.thread().getName() + "\", closed");
        }
        assertThat(ProgressLoop.builder().name("mover")).hasToString("ProgressLoop.Builder of \"mover\"");
    }

    /** The caller of each round waits for it, so that both sides would hang after a lost wake-up. */
    @ParameterizedTest
    @MethodSource("strategies")
    void wakesForEveryCall(IdleStrategy strategy) {
        try (ProgressLoop loop = ProgressLoop.builder().idleStrategy(strategy).start()) {
            AtomicInteger sum = new AtomicInteger();
            for (int round = 0; round < 500; round++) {
                loop.call(engine -> sum.incrementAndGet()).join();
            }
            assertThat(sum.get()).isEqualTo(500);
        }
    }

    /** Only a sleeping thread needs the kernel to wake it. */
    @Test
    void workForALoopThatIsAwakeCostsNoSystemCall() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        AtomicBoolean leave = new AtomicBoolean();
        try (ProgressLoop loop = ProgressLoop.start()) {
            CompletableFuture<Boolean> busy = loop.call(engine -> {
                engine.awaitEvent(Duration.ofMillis(1)); // has slept before
                entered.countDown();
                while (!leave.get()) {
                    Thread.onSpinWait();
                }
                return true;
            });
            entered.await();
            long before = writes();
            for (int i = 0; i < 1000; i++) {
                assertThat(loop.call(engine -> true)).isNotDone();
            }
            assertThat(writes() - before).isLessThan(10);
            leave.set(true);
            assertThat(busy.join()).isTrue();
        }
    }

    /** Returns how often the current thread has called {@code write} or a similar function, as every wake-up does. */
    private static long writes() throws IOException {
        return Files.readAllLines(Path.of("/proc/thread-self/io")).stream()
                .filter(line -> line.startsWith("syscw:"))
                .mapToLong(
                        line -> Long.parseLong(line.substring("syscw:".length()).strip()))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void servesManyVirtualThreads(IdleStrategy strategy) throws Exception {
        AtomicInteger sum = new AtomicInteger();
        try (ProgressLoop loop = ProgressLoop.builder().idleStrategy(strategy).start();
                ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> results = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                results.add(virtual.submit(
                        () -> loop.call(engine -> sum.incrementAndGet()).get()));
            }
            for (Future<Integer> result : results) {
                assertThat(result.get()).isPositive();
            }
        }
        assertThat(sum.get()).isEqualTo(1000);
    }

    @Test
    void passesFailuresOn() {
        try (ProgressLoop loop = ProgressLoop.start()) {
            assertThatThrownBy(() -> loop.call(engine -> {
                                throw new IOException("no such file");
                            })
                            .join())
                    .isInstanceOf(CompletionException.class)
                    .cause()
                    .isInstanceOf(IOException.class)
                    .hasMessage("no such file");
            assertThat(loop.call(engine -> "still there").join()).isEqualTo("still there");
        }
    }

    /** Requests an operation of no context, which ends when the test completes it. */
    static Completion<String> operation(ProgressLoop loop) {
        LoopThread thread = (LoopThread) loop.thread();
        return thread.enqueue(thread.addRoom("a context"), (first, second, completion) -> {}, "", "");
    }

    @Test
    void isAnExecutor() throws Exception {
        List<Throwable> reported = new CopyOnWriteArrayList<>();
        ArithmeticException thrown = new ArithmeticException("task");
        try (ProgressLoop loop =
                ProgressLoop.builder().errorHandler(reported::add).start()) {
            List<String> order = new ArrayList<>();
            CompletableFuture<Thread> ran = CompletableFuture.supplyAsync(
                    () -> {
                        loop.execute(() -> order.add("inner"));
                        order.add("outer");
                        return Thread.currentThread();
                    },
                    loop);
            assertThat(Await.result(ran, "the task")).isSameAs(loop.thread());
            loop.execute(() -> {
                throw thrown;
            });
            assertThat(loop.call(engine -> List.copyOf(order)).join()).containsExactly("outer", "inner");
            assertThat(reported).containsExactly(thrown);
        }
    }

    @Test
    void refusesToBlockItsOwnThread() {
        try (ProgressLoop loop = ProgressLoop.builder().name("own").start()) {
            Completion<Long> never = new Completion<>(loop.engine());
            for (LoopCall<Object> wait : List.<LoopCall<Object>>of(
                    engine -> loop.call(inner -> "never").join(),
                    engine -> never.await(),
                    engine -> never.await(Duration.ofDays(1)),
                    engine -> never.get(1, TimeUnit.DAYS),
                    engine -> engine.await(new CompletableFuture<String>()),
                    engine -> engine.await(() -> true, Duration.ZERO),
                    engine -> {
                        engine.await(() -> true);
                        return "never";
                    },
                    engine -> {
                        engine.awaitAll(List.of(never), Duration.ZERO);
                        return "never";
                    })) {
                assertThatThrownBy(() -> loop.call(wait).join())
                        .cause()
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("The thread of ProgressLoop \"own\" cannot wait for its own loop, as nothing"
                                + " completes meanwhile: go on in a dependent stage");
            }
        }
    }

    /** The simplest wait is the same for a loop: threads of the program wait, and the loop progresses. */
    @Test
    void completionsAreAwaitedByOtherThreads() throws Exception {
        try (ProgressLoop loop = ProgressLoop.start()) {
            Completion<Long> completion = new Completion<>(loop.engine());
            assertThatThrownBy(() -> completion.await(Duration.ofMillis(1)))
                    .isInstanceOf(TimeoutException.class)
                    .hasMessage("Not completed within 1 ms; the task is still in flight");
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> completion.await()).isInstanceOf(InterruptedException.class);
            assertThat(completion).isNotDone();
            CompletableFuture<Boolean> completing = loop.call(engine -> completion.complete(7L));
            assertThat(completion.await()).isEqualTo(7);
            assertThat(Await.result(completing, "the completion")).isTrue();

            Completion<Long> failing = new Completion<>(loop.engine());
            IllegalStateException failure = new IllegalStateException("broken");
            CompletableFuture<Boolean> failed = loop.call(engine -> failing.completeExceptionally(failure));
            assertThatThrownBy(() -> failing.await()).isSameAs(failure);
            assertThat(Await.result(failed, "the failure")).isTrue();

            CompletableFuture<Long> stage = new CompletableFuture<>();
            ProgressEngine engine = loop.engine();
            CompletableFuture<Boolean> last = loop.call(own -> stage.complete(8L));
            assertThat(engine.await(stage)).isEqualTo(8);
            CompletableFuture<Long> next = stage.thenApply(bytes -> bytes + 1);
            assertThat(engine.await(next, Await.LIMIT)).isEqualTo(9);
            assertThat(Await.result(last, "the last completion")).isTrue();
        }
    }

    /** Two loops that wait for each other's futures would deadlock. */
    @Test
    void refusesToWaitForAnotherLoopWithoutALimit() {
        String refusal =
                "The thread of ProgressLoop \"asker\" does not wait without a time limit, as two loops could wait"
                        + " for each other forever: wait with a timeout, or go on in a dependent stage";
        CountDownLatch leave = new CountDownLatch(1);
        try (ProgressLoop loop = ProgressLoop.start();
                ProgressLoop asker = ProgressLoop.builder().name("asker").start();
                ProgressEngine ownEngine = ProgressEngine.create()) {
            CompletableFuture<String> late = loop.call(engine -> {
                leave.await();
                return "done";
            });
            CompletableFuture<Long> task = new OperationCompletion<>(ownEngine);
            Completion<Long> ofLoop = new Completion<>(loop.engine());
            List<LoopCall<Object>> waits = List.of(
                    engine -> late.join(),
                    engine -> late.get(),
                    engine -> late.thenApply(String::length).join(),
                    engine -> task.join(),
                    engine -> task.get(),
                    engine -> ofLoop.await());
            for (LoopCall<Object> wait : waits) {
                CompletableFuture<Object> refused = asker.call(wait);
                assertThatThrownBy(() -> Await.result(refused, "the refused wait"))
                        .cause()
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage(refusal);
            }
            assertThatThrownBy(() -> asker.call(engine -> ofLoop.await(Duration.ofMillis(1)))
                            .join())
                    .cause()
                    .isInstanceOf(TimeoutException.class);
            CompletableFuture<String> limited = asker.call(engine -> late.get(1, TimeUnit.HOURS));
            leave.countDown();
            assertThat(limited.join()).isEqualTo("done");
            assertThat(asker.call(engine -> late.join()).join()).isEqualTo("done");
        }
    }

    @Test
    void cannotBeClosedByItsOwnThread() {
        try (ProgressLoop loop = ProgressLoop.builder().name("mover").start()) {
            assertThatThrownBy(() -> loop.call(engine -> {
                                loop.close();
                                return "never";
                            })
                            .join())
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(
                            "ProgressLoop \"mover\" cannot be closed by its own thread, which would wait for itself");
        }
    }

    @Test
    void closeDoesWhatIsQueuedAndWaitsForOperations() {
        CountDownLatch leave = new CountDownLatch(1);
        ProgressLoop loop = ProgressLoop.builder().name("mover").start();
        CompletableFuture<Boolean> busy = loop.call(engine -> {
            leave.await();
            return true;
        });
        CompletableFuture<String> queued = loop.call(engine -> "queued");
        Completion<String> operation = operation(loop);
        CompletableFuture<Boolean> completer = queued.thenApplyAsync(result -> operation.complete("copied"));
        leave.countDown();
        loop.close();
        loop.close();
        assertThat(busy).isCompletedWithValue(true);
        assertThat(queued).isCompletedWithValue("queued");
        assertThat(operation).isCompletedWithValue("copied");
        assertThat(completer.join()).isTrue();
        assertThat(loop.thread().isAlive()).isFalse();
        assertThatThrownBy(() -> loop.call(engine -> "late"))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessage("ProgressLoop \"mover\" is closed")
                .hasNoCause();
        assertThatThrownBy(() -> loop.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> operation(loop)).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void closeReportsWhatKeepsTheThreadBusy() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        ProgressLoop.Builder builder = ProgressLoop.builder().name("mover").closeTimeout(Duration.ZERO);
        builder.lastStepsNanos = 1_000_000_000;
        ProgressLoop loop = builder.start();
        CompletableFuture<Boolean> busy = loop.call(engine -> {
            entered.countDown();
            leave.await();
            return true;
        });
        entered.await();
        assertThatThrownBy(loop::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("ProgressLoop \"mover\" did not end in time: the cause shows where its thread is busy")
                .cause()
                .satisfies(where -> assertThat(where.getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().equals("await")));
        leave.countDown();
        loop.close();
        assertThat(busy.join()).isTrue();
    }

    /** Many threads close the loop at the same time, and for each of them the loop has ended when the call returns. */
    @Test
    void manyThreadsMayCloseIt() throws Exception {
        for (int round = 0; round < 50; round++) {
            ProgressLoop loop = ProgressLoop.builder()
                    .idleStrategy(IdleStrategy.eventDriven(0))
                    .start();
            Completion<String> last = operation(loop);
            List<FutureTask<Boolean>> closers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                closers.add(Background.start(() -> {
                    loop.close();
                    return loop.thread().isAlive() || !last.isDone();
                }));
            }
            last.complete("last");
            for (FutureTask<Boolean> closer : closers) {
                assertThat(Background.result(closer)).isFalse();
            }
            assertThat(last.join()).isEqualTo("last");
        }
    }

    @Test
    void closeKeepsAnInterruptForItsCaller() {
        ProgressLoop loop = ProgressLoop.start();
        Thread.currentThread().interrupt();
        loop.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(loop.thread().isAlive()).isFalse();
    }

    @Test
    void anInterruptDoesNotEndTheThread() {
        try (ProgressLoop loop = ProgressLoop.start()) {
            for (int round = 0; round < 100; round++) {
                loop.thread().interrupt();
                assertThat(loop.call(engine -> "still there").join()).isEqualTo("still there");
            }
        }
    }

    @Test
    void doesNotBeginWhatWasCancelled() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        AtomicBoolean ran = new AtomicBoolean();
        try (ProgressLoop loop = ProgressLoop.start()) {
            CompletableFuture<Boolean> busy = loop.call(engine -> {
                entered.countDown();
                leave.await();
                return true;
            });
            entered.await();
            assertThat(busy).isNotDone();
            CompletableFuture<Boolean> cancelled = loop.call(engine -> ran.getAndSet(true));
            assertThat(cancelled.cancel(false)).isTrue();
            leave.countDown();
        }
        assertThat(ran).isFalse();
    }

    @Test
    void failsAllPendingWorkWhenItEnds() throws Exception {
        AtomicBoolean broken = new AtomicBoolean();
        ProgressLoop loop = ProgressLoop.builder()
                .name("mover")
                .idleStrategy(workCount -> {
                    if (broken.get()) {
                        throw new ArithmeticException("strategy is broken");
                    }
                    Thread.onSpinWait();
                })
                .start();
        CountDownLatch queued = new CountDownLatch(1);
        CompletableFuture<Boolean> busy = loop.call(engine -> {
            queued.await();
            return broken.getAndSet(true);
        });
        // These are more than a round runs, and the strategy is called after each round.
        List<CompletableFuture<String>> calls = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            calls.add(loop.call(engine -> "done"));
        }
        queued.countDown();
        assertThat(busy.join()).isFalse();
        assertThatThrownBy(() -> calls.getLast().join())
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("ProgressLoop \"mover\" failed before this was complete")
                .cause()
                .isInstanceOf(ArithmeticException.class)
                .hasMessage("strategy is broken");
        assertThatThrownBy(() -> loop.call(engine -> "late"))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessage("ProgressLoop \"mover\" has failed")
                .hasCauseInstanceOf(ArithmeticException.class);
        loop.close();
        assertThat(loop.thread().isAlive()).isFalse();
    }

    @Test
    void itsErrorHandlerGetsTheExceptionByWhichItFails() throws Exception {
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        ArithmeticException broken = new ArithmeticException("strategy is broken");
        ProgressLoop loop = ProgressLoop.builder()
                .errorHandler(failure::complete)
                .idleStrategy(workCount -> {
                    throw broken;
                })
                .start();
        assertThat(Await.result(failure, "the failure of the idle strategy")).isSameAs(broken);
        loop.close();
    }

    @Test
    void logsTheExceptionByWhichItFailsIfItsErrorHandlerFails() throws Exception {
        ArithmeticException broken = new ArithmeticException("strategy is broken");
        IllegalStateException second = new IllegalStateException("handler is broken");
        runToFailure(broken, failure -> {
            throw second;
        });
        assertThat(broken.getSuppressed()).containsExactly(second);
    }

    /** Runs a loop whose idle strategy throws, until it has ended. */
    private static void runToFailure(RuntimeException broken, Consumer<Throwable> errorHandler)
            throws InterruptedException {
        ProgressLoop loop = ProgressLoop.builder()
                .errorHandler(errorHandler)
                .idleStrategy(workCount -> {
                    throw broken;
                })
                .start();
        // Waits before closing: a loop that is closed before its first round does not call its strategy.
        assertThat(loop.thread().join(Await.LIMIT)).isTrue();
        loop.close();
    }

    @Test
    void anExceptionOfItsErrorHandlerNeedNotBeComparable() throws Exception {
        ArithmeticException broken = new ArithmeticException("strategy is broken");
        HostileException second = new HostileException();
        List<Throwable> uncaught = new CopyOnWriteArrayList<>();
        runToFailure(broken, failure -> {
            Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> uncaught.add(thrown));
            throw second;
        });
        assertThat(broken.getSuppressed()[0]).isSameAs(second);
        // Logback may fail to log the suppressed exception.
        assertThat(uncaught).allSatisfy(thrown -> assertThat(thrown).isSameAs(broken));
    }

    @Test
    void onlyTheStartOfItsThreadRunsIt() {
        String message = "ProgressLoop \"mover\" is run only by its own thread, and only once";
        ProgressLoop loop = ProgressLoop.builder().name("mover").start();
        Runnable thread = loop.thread();
        assertThatThrownBy(thread::run)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(message);
        assertThatThrownBy(() -> loop.call(engine -> {
                            thread.run();
                            return true;
                        })
                        .join())
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(message);
        assertThat(loop.call(engine -> Thread.currentThread()).join()).isSameAs(loop.thread());
        loop.close();
        assertThatThrownBy(thread::run)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(message);
    }

    @Test
    void anAppenderMayQueueWorkWhenTheThreadWasInterrupted() throws Exception {
        AtomicReference<ProgressLoop> logging = new AtomicReference<>();
        CompletableFuture<String> queued = new CompletableFuture<>();
        List<CompletableFuture<Boolean>> calls = new ArrayList<>();
        try (LogCapture log = LogCapture.of(
                        ProgressLoop.class.getName(),
                        event -> calls.add(logging.get().call(engine -> queued.complete("done"))));
                ProgressLoop loop = ProgressLoop.builder()
                        .name("mover")
                        .idleStrategy(IdleStrategy.eventDriven(0))
                        .start()) {
            logging.set(loop);
            loop.thread().interrupt();
            assertThat(Await.result(queued, "the work that the appender has queued"))
                    .isEqualTo("done");
            assertThat(log.lines()).containsExactly("DEBUG ProgressLoop \"mover\" was interrupted and goes on");
        }
    }

    @Test
    void namesWhatKeepsItsEngineFromBeingClosed() throws Exception {
        ProgressLoop loop = ProgressLoop.builder()
                .name("unclosable")
                .closeTimeout(Duration.ofMillis(20))
                .start();
        ProgressEngine left = Await.result(loop.call(engine -> engine), "the engine of the loop");
        Resource engine = Resource.allOpen().stream()
                .filter(open -> open.description().equals("ProgressEngine of thread \"unclosable\""))
                .findFirst()
                .orElseThrow();
        Resource user = Resource.open(loop, "a user of the engine", engine);
        assertThatThrownBy(loop::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("ProgressEngine of thread \"unclosable\" cannot be closed while in use by: a user of the"
                        + " engine");
        user.discard();
        left.close();
        loop.close();
    }

    @Test
    void refusesANegativeCloseTimeout() {
        assertThatThrownBy(() -> ProgressLoop.builder().closeTimeout(Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The close timeout must not be negative: PT-0.000000001S");
    }
}
