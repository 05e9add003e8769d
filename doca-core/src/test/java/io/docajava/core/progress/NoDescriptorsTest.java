/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.testing.ChildJvm;
import io.docajava.core.testing.FolderClasses;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A thread that first wants to sleep while no file descriptor is free polls, and sleeps when descriptors are free again. */
class NoDescriptorsTest {

    @Test
    void goesOnWithoutDescriptors() throws Exception {
        assertThat(new ChildJvm().run(Probe.class)).containsExactly("engine: true", "loop: 5", "sleeps");
    }

    /** Runs in a process of its own, whose limit it changes. */
    @SuppressWarnings("restricted") // setrlimit, by a test alone
    static final class Probe {

        private static final int RLIMIT_NOFILE = 7;

        private Probe() {}

        public static void main(String[] arguments) throws Exception {
            FolderClasses.load(Probe.class.getClassLoader());
            CountDownLatch limited = new CountDownLatch(1);
            CountDownLatch idled = new CountDownLatch(1);
            IdleStrategy strategy = new IdleStrategy() {
                @Override
                public void idle(int workCount) {
                    throw new IllegalStateException("not bound to an engine");
                }

                @Override
                public IdleStrategy forEngine(ProgressEngine engine) {
                    IdleStrategy sleeping = IdleStrategy.eventDriven(0).forEngine(engine);
                    return workCount -> {
                        awaitUninterrupted(limited);
                        try {
                            sleeping.idle(workCount);
                        } finally {
                            idled.countDown();
                        }
                    };
                }
            };
            try (Arena arena = Arena.ofConfined();
                    ProgressEngine engine = ProgressEngine.create();
                    ProgressLoop loop =
                            ProgressLoop.builder().idleStrategy(strategy).start()) {
                MemorySegment old = arena.allocate(JAVA_LONG, 2);
                limit("getrlimit", old);
                long before = descriptors();
                limit("setrlimit", arena.allocateFrom(JAVA_LONG, lowestFree() + 1, old.getAtIndex(JAVA_LONG, 1)));
                System.out.println("engine: " + engine.awaitEvent(Duration.ofMillis(5)));
                limited.countDown();
                idled.await();
                limit("setrlimit", old);
                System.out.println("loop: " + loop.call(own -> 5).join());
                while (descriptors() < before + 2) {
                    Thread.onSpinWait();
                }
                System.out.println("sleeps");
            }
        }

        private static void awaitUninterrupted(CountDownLatch latch) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Returns the number that the next descriptor gets: with a limit above it, one can be opened, and not a second one. */
        private static long lowestFree() {
            long number = 0;
            while (Files.exists(Path.of("/proc/self/fd/" + number), LinkOption.NOFOLLOW_LINKS)) {
                number++;
            }
            return number;
        }

        private static long descriptors() throws IOException {
            try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
                return open.count();
            }
        }

        private static void limit(String function, MemorySegment limit) throws Exception {
            MethodHandle handle = Linker.nativeLinker()
                    .downcallHandle(
                            Linker.nativeLinker().defaultLookup().findOrThrow(function),
                            FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
            try {
                int result = (int) handle.invokeExact(RLIMIT_NOFILE, limit);
                if (result != 0) {
                    throw new IllegalStateException(function + " failed");
                }
            } catch (Throwable failure) {
                throw new IllegalStateException(failure);
            }
        }
    }
}
