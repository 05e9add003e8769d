/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.failures;

import io.docajava.core.context.ContextState;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.graph.ContextNode;
import io.docajava.core.graph.Graph;
import io.docajava.core.graph.GraphBuilder;
import io.docajava.core.graph.GraphInstance;
import io.docajava.core.graph.UserNode;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.dma.DmaContext;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Fills the heap of its JVM while completions are to be delivered, frees it again, and prints what has become of the futures. The
 * JVM has a small heap.
 */
@SuppressWarnings("try") // the block does not use the faults itself
final class FullHeap {

    private static final int TASKS = 16;
    /** The results of futures of that length are not cached by {@link Long#valueOf}. */
    private static final int BYTES = 200;

    /** The number of rounds of progress while the heap is full. */
    private static final int ROUNDS = 20;

    private static volatile Object @Nullable [] hog;

    /** False during the first round, which does not fill the heap. */
    private static volatile boolean fills;

    private final Device device;
    private final Mmap memory;
    /** The number of rounds of progress that had too little memory. */
    private int refused;

    private FullHeap(Device device, Mmap memory) {
        this.device = device;
        this.memory = memory;
    }

    public static void main(String[] arguments) throws Exception {
        try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
                Mmap memory = Mmap.allocate(device, 1 << 20, Access.LOCAL_READ_WRITE)) {
            FullHeap heap = new FullHeap(device, memory);
            // The JVM needs memory for code that runs for the first time, so all of it runs once before.
            heap.all();
            fills = true;
            heap.all();
            System.out.println("rounds without memory: " + (heap.refused > 0));
        }
        System.out.println("objects left: " + (EmulatorFaults.liveObjects() - 1));
    }

    private void all() throws Exception {
        copies();
        failingCopies();
        receives();
        graph();
        loop();
    }

    /** Allocates until not even the smallest object can be allocated. */
    private static void fill() {
        for (int size = fills ? 1 << 18 : 0; size > 0; size /= 8) {
            try {
                while (true) {
                    Object[] more = new Object[size];
                    more[0] = hog;
                    hog = more;
                }
            } catch (OutOfMemoryError e) {
                // Continues with smaller arrays.
            }
        }
    }

    private MapRange source(int number) {
        return memory.range((long) number * BYTES, BYTES);
    }

    private MapRange target(int number) {
        return memory.range(65536 + (long) number * BYTES, BYTES);
    }

    private void copies() throws Exception {
        try (ProgressEngine engine = ProgressEngine.create();
                DmaContext dma = DmaContext.builder(device).maxTasks(TASKS).start(engine)) {
            print("copies", engine, copiesAfterOneThatFills(dma));
        }
    }

    private void failingCopies() throws Exception {
        try (ProgressEngine engine = ProgressEngine.create();
                DmaContext dma = DmaContext.builder(device).maxTasks(TASKS).start(engine)) {
            try (EmulatorFaults faults =
                    EmulatorFaults.builder().failTask(1, "IO_FAILED").inject()) {
                print("failing copies", engine, copiesAfterOneThatFills(dma));
            }
            engine.await(() -> dma.state() == ContextState.IDLE);
        }
    }

    private List<Completion<Long>> copiesAfterOneThatFills(DmaContext dma) {
        dma.copy(source(0), target(0), (end, failure) -> fill());
        List<Completion<Long>> copies = new ArrayList<>();
        for (int i = 1; i < TASKS; i++) {
            copies.add(dma.copy(source(i), target(i)));
        }
        return copies;
    }

    private void receives() throws Exception {
        try (ProgressEngine engine = ProgressEngine.create();
                RdmaContext sender = RdmaContext.builder(device).start(engine);
                RdmaContext receiver = RdmaContext.builder(device).start(engine)) {
            RdmaConnection connection = sender.prepareConnection();
            RdmaConnection other = receiver.prepareConnection();
            Completion<?> connected = connection.connect(other.details());
            other.connect(connection.details()).await();
            connected.await();
            List<Completion<?>> messages = new ArrayList<>();
            for (int i = 0; i < TASKS / 2; i++) {
                messages.add(receiver.receive(target(i)));
                messages.add(connection.send(source(i)));
            }
            // The constant is created before there is no memory for it.
            String name = "sends and receives";
            fill();
            print(name, engine, messages);
        }
    }

    private void graph() throws Exception {
        try (ProgressEngine engine = ProgressEngine.create();
                DmaContext dma = DmaContext.builder(device).start(engine)) {
            GraphBuilder builder = Graph.builder(engine);
            ContextNode copy = builder.context(dma);
            UserNode<String> filling = builder.user(text -> {
                fill();
                throw new IllegalStateException(text);
            });
            builder.dependency(copy, filling);
            try (Graph graph = builder.start();
                    GraphInstance instance = graph.instance()) {
                instance.set(copy, dma.task(source(0), target(0))).set(filling, "full");
                print("graphs", engine, List.of(instance.submit()));
                System.out.println("running: " + instance.isRunning());
            }
        }
    }

    /** Progresses while the heap is full, and then to the end. */
    private void print(String name, ProgressEngine engine, List<? extends CompletableFuture<?>> futures)
            throws InterruptedException {
        for (int i = 0; i < ROUNDS; i++) {
            try {
                engine.progress();
            } catch (OutOfMemoryError e) {
                refused++;
            }
        }
        hog = null;
        engine.await(() -> futures.stream().allMatch(CompletableFuture::isDone));
        System.out.println(name + ": " + futures.size() + " "
                + futures.stream().map(CompletableFuture::state).distinct().toList());
    }

    private void loop() throws Exception {
        CountDownLatch filled = new CountDownLatch(1);
        ProgressLoop loop = ProgressLoop.builder().errorHandler(failure -> {}).start();
        try (loop) {
            List<Completion<Long>> copies =
                    loop.call(engine -> copiesOnLoop(engine, filled)).join();
            filled.await();
            hog = null;
            CompletableFuture.allOf(copies.toArray(CompletableFuture[]::new)).join();
            System.out.println(
                    "loop: " + copies.size() + ", alive: " + loop.thread().isAlive());
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the heap is full when the stage ends
    private List<Completion<Long>> copiesOnLoop(ProgressEngine engine, CountDownLatch filled) {
        DmaContext dma = DmaContext.builder(device).start(engine);
        List<Completion<Long>> copies = new ArrayList<>();
        for (int i = 0; i < TASKS; i++) {
            copies.add(dma.copy(source(i), target(i)));
        }
        copies.getFirst().thenRun(() -> {
            fill();
            filled.countDown();
        });
        return copies;
    }
}
