/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.graph.ContextNode;
import io.docajava.core.graph.Graph;
import io.docajava.core.graph.GraphBuilder;
import io.docajava.core.graph.GraphInstance;
import io.docajava.core.graph.UserNode;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.testing.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that a stack overflow around calls that lead to upcalls throws an error in Java, and does not end the JVM. */
@SuppressWarnings("FutureReturnValueIgnored") // the results do not matter here
class UpcallSafetyTest {

    /** The number of consecutive stack levels, far more than an upcall uses. */
    private static final int LEVELS = 1500;

    /** Runs without a compiler, so that each level uses the same amount of stack. */
    private static List<String> run(Class<?> main, String... options) throws Exception {
        ChildJvm child = new ChildJvm().option("-Xint").option("-Xss400k");
        for (String option : options) {
            child.option(option);
        }
        return child.run(main);
    }

    @Test
    void completionsByUpcalls() throws Exception {
        assertThat(run(Completions.class, "-Ddoca.completions=upcall"))
                .containsExactly("some overflowed, some did not");
    }

    @Test
    void userNodesOfGraphs() throws Exception {
        assertThat(run(UserNodes.class)).containsExactly("some overflowed, some did not");
    }

    /** Completes operations on a nearly full stack. */
    static final class Completions {

        public static void main(String[] arguments) {
            Device device = Device.open(DeviceFilter.any());
            ProgressEngine engine = ProgressEngine.create();
            SyncEventContext event = SyncEvent.builder(device)
                    .publisher(SyncLocation.CPU)
                    .subscriber(SyncLocation.CPU)
                    .tasks()
                    .start(engine);
            overflow(
                    () -> {
                        while (event.inFlight() > 0) {
                            engine.progress();
                        }
                        event.submit(SyncEventOperation.add(1));
                    },
                    engine::progress);
        }
    }

    /** Runs a user node on a nearly full stack. */
    static final class UserNodes {

        public static void main(String[] arguments) {
            Device device = Device.open(DeviceFilter.any());
            ProgressEngine engine = ProgressEngine.create();
            SyncEventContext event = SyncEvent.builder(device)
                    .publisher(SyncLocation.CPU)
                    .subscriber(SyncLocation.CPU)
                    .tasks()
                    .start(engine);
            GraphBuilder builder = Graph.builder(engine);
            ContextNode get = builder.context(event);
            UserNode<String> user = builder.user(data -> {});
            Graph graph = builder.dependency(user, get).start();
            GraphInstance instance = graph.instance()
                    .set(get, event.task(SyncEventOperation.get()))
                    .set(user, "data");
            overflow(
                    () -> {
                        while (instance.isRunning()) {
                            engine.progress();
                        }
                        instance.submit();
                    },
                    engine::progress);
        }
    }

    /** Makes a call at each of the last levels of the stack, and ends without any step that an overflow may prevent. */
    private static void overflow(Runnable preparation, Runnable call) {
        preparation.run();
        call.run();
        int depth = 0;
        try {
            while (true) {
                depth += 1000;
                descend(depth, () -> {});
            }
        } catch (StackOverflowError e) {
            depth -= 1000;
        }
        while (!overflows(depth, () -> {})) {
            depth++;
        }
        int overflows = 0;
        for (int levels = depth - LEVELS; levels < depth; levels++) {
            preparation.run();
            if (overflows(levels, call)) {
                overflows++;
            }
        }
        System.out.println(
                (overflows > 0 ? "some overflowed" : "none overflowed") + (overflows < LEVELS ? ", some did not" : ""));
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static boolean overflows(int levels, Runnable call) {
        try {
            descend(levels, call);
            return false;
        } catch (StackOverflowError e) {
            return true;
        }
    }

    private static void descend(int levels, Runnable call) {
        if (levels == 0) {
            call.run();
        } else {
            descend(levels - 1, call);
        }
    }
}
