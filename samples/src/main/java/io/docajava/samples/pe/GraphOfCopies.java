/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.pe;

import io.docajava.core.device.Device;
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
import io.docajava.dma.DmaContext;
import io.docajava.samples.cli.Sample;
import io.docajava.samples.cli.SampleException;
import io.docajava.samples.side.DmaDevices;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;

/** Copies a source twice, on two contexts, and compares both copies with the source in a user node that depends on them. */
@Command(name = "graph", sortOptions = false, description = "Runs graphs of two copies and a user node that compares")
public final class GraphOfCopies implements Sample {

    private static final Logger LOG = LoggerFactory.getLogger(GraphOfCopies.class);

    private static final int INSTANCES = 10;
    private static final int BYTES = 1024;
    /** A source and two targets. */
    private static final int RANGES = 3;

    @Override
    public void run() throws InterruptedException {
        try (Device device = Device.open(DmaDevices.COPYING);
                Mmap memory = Mmap.allocate(device, (long) INSTANCES * RANGES * BYTES, Access.LOCAL_READ_WRITE);
                ProgressEngine engine = ProgressEngine.create();
                DmaContext first =
                        DmaContext.builder(device).maxTasks(INSTANCES).start(engine);
                DmaContext second =
                        DmaContext.builder(device).maxTasks(INSTANCES).start(engine)) {
            LOG.info("Creating graph");
            GraphBuilder plan = Graph.builder(engine).maxInstances(INSTANCES);
            UserNode<Copies> compare = plan.user("compare", Copies::compare);
            ContextNode firstCopy = plan.context("first copy", first);
            ContextNode secondCopy = plan.context("second copy", second);
            plan.dependency(firstCopy, compare).dependency(secondCopy, compare);
            try (Graph graph = plan.start();
                    Instances instances = new Instances()) {
                LOG.info("Creating graph instances");
                for (int i = 0; i < INSTANCES; i++) {
                    Copies copies = Copies.fill(memory, i);
                    instances
                            .add(graph.instance())
                            .set(firstCopy, first.task(copies.source, copies.firstTarget))
                            .set(secondCopy, second.task(copies.source, copies.secondTarget))
                            .set(compare, copies);
                }
                instances.run(engine);
            }
        }
    }

    /** The ranges of one instance. */
    private record Copies(int index, MapRange source, MapRange firstTarget, MapRange secondTarget) {

        static Copies fill(Mmap memory, int index) {
            long offset = (long) index * RANGES * BYTES;
            memory.segment().asSlice(offset, BYTES).fill((byte) (index + 1));
            return new Copies(
                    index,
                    memory.range(offset, BYTES),
                    memory.range(offset + BYTES, BYTES),
                    memory.range(offset + 2 * BYTES, BYTES));
        }

        /** Compares the copies. The SDK calls this when both have completed. */
        void compare() {
            LOG.info("Instance {} user callback", index);
            for (MapRange target : List.of(firstTarget, secondTarget)) {
                if (target.segment().mismatch(source.segment()) >= 0) {
                    throw new SampleException("DMA source and destination mismatch");
                }
            }
        }
    }

    /** The instances, which are closed before their graph. */
    private static final class Instances implements AutoCloseable {

        private final List<GraphInstance> instances = new ArrayList<>();

        GraphInstance add(GraphInstance instance) {
            instances.add(instance);
            return instance;
        }

        void run(ProgressEngine engine) throws InterruptedException {
            LOG.info("Submitting all graph instances");
            List<Completion<GraphInstance>> runs = new ArrayList<>();
            try {
                instances.forEach(instance -> runs.add(instance.submit()));
                LOG.info("Waiting until all instances are complete");
            } finally {
                // A failure must not close instances that still run.
                engine.await(() -> runs.stream().allMatch(Completion::isDone));
            }
            for (Completion<GraphInstance> run : runs) {
                run.await();
            }
            LOG.info("All instances completed");
        }

        @Override
        public void close() {
            instances.forEach(GraphInstance::close);
        }
    }
}
