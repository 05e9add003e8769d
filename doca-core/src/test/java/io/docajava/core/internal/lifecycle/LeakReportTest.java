/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.Mmap;
import io.docajava.core.testing.ChildJvm;
import io.docajava.core.testing.LogCapture;
import io.docajava.testing.Await;
import io.docajava.testing.UncaughtExceptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class LeakReportTest {

    private static final String LEAK = "BufInventory of 7 was never closed (leak 1 of this process)";

    @Test
    void countsLeaks() throws Exception {
        assertThat(new ChildJvm().logging().run(Leak.class))
                .containsExactly("WARN " + LEAK + "; -Ddoca.leak=trace shows where it was opened");
    }

    @Test
    void showsWhereALeakWasOpened() throws Exception {
        List<String> output =
                new ChildJvm().logging().option("-Ddoca.leak=trace").run(Leak.class);

        assertThat(output).startsWith("WARN " + LEAK, "Here BufInventory of 7 was opened");
        assertThat(output).anySatisfy(line -> assertThat(line).contains("LeakReportTest$Leak.leak"));
    }

    @Test
    void isSilentWhereAsked() throws Exception {
        assertThat(new ChildJvm().logging().option("-Ddoca.leak=off").run(Leak.class))
                .containsExactly("nothing was reported");
    }

    @Test
    void keepsTheMemoryThatALeakedMapMayStillUse() throws Exception {
        assertThat(new ChildJvm().option("-Ddoca.leak=off").run(LeakMemory.class))
                .containsExactly("the map is gone: true, its memory: false");
    }

    @Test
    void usesTheDefaultWhereItDoesNotUnderstand() {
        try (LogCapture log = LogCapture.of("io.docajava.leak")) {
            assertThat(LeakReport.mode(null)).isEqualTo(LeakReport.Mode.COUNT);
            assertThat(LeakReport.mode(" Trace ")).isEqualTo(LeakReport.Mode.TRACE);
            assertThat(log.lines()).isEmpty();

            assertThat(LeakReport.mode("on")).isEqualTo(LeakReport.Mode.COUNT);
            assertThat(log.lines())
                    .containsExactly("WARN doca.leak is off, count or trace, and not \"on\": count is used");
        }
    }

    @Test
    void usesTheDefaultIfAnAppenderFails() {
        NoClassDefFoundError broken = new NoClassDefFoundError("an appender");
        try (LogCapture log = LogCapture.of("io.docajava.leak", event -> {
                    throw broken;
                });
                UncaughtExceptions uncaught = new UncaughtExceptions()) {
            assertThat(LeakReport.mode("on")).isEqualTo(LeakReport.Mode.COUNT);
            assertThat(log.events()).hasSize(1);
            assertThat(uncaught.list()).containsExactly(broken);
        }
    }

    private static void collect(Reference<?> reference) {
        while (!reference.refersTo(null)) {
            System.gc();
        }
    }

    /** Leaks an object, closes another one, and prints the reports. */
    static final class Leak {

        public static void main(String[] arguments) throws InterruptedException {
            try (LogCapture log = LogCapture.of("io.docajava.leak")) {
                collect(close());
                collect(leak());
                if (System.getProperty("doca.leak", "").equals("off")) {
                    // A report would need a cleaner's thread, and there is none.
                    boolean watched = Thread.getAllStackTraces().keySet().stream()
                            .anyMatch(thread -> thread.getName().startsWith("Cleaner-"));
                    System.out.println(watched ? "leaks are watched" : "nothing was reported");
                    return;
                }
                Await.until(() -> !log.events().isEmpty(), "the report");
                log.events().forEach(event -> {
                    System.out.println(event.getLevel() + " " + event.getFormattedMessage());
                    if (event.getThrowableProxy() != null) {
                        System.out.println(event.getThrowableProxy().getMessage());
                        for (var frame : event.getThrowableProxy().getStackTraceElementProxyArray()) {
                            System.out.println(frame);
                        }
                    }
                });
            }
        }

        private static Reference<?> close() {
            BufInventory inventory = BufInventory.create(1);
            inventory.close();
            return new WeakReference<>(inventory);
        }

        private static Reference<?> leak() {
            return new WeakReference<>(BufInventory.create(7));
        }
    }

    /** Leaks a map of memory that the garbage collector frees. */
    static final class LeakMemory {

        private static WeakReference<MemorySegment> memory = new WeakReference<>(null);

        public static void main(String[] arguments) {
            Reference<Mmap> map = leak();
            collect(map);
            System.gc();
            System.out.println("the map is gone: " + map.refersTo(null) + ", its memory: " + memory.refersTo(null));
        }

        private static Reference<Mmap> leak() {
            Device device = Device.open(DeviceFilter.any());
            MemorySegment segment = Arena.ofAuto().allocate(64, 64);
            memory = new WeakReference<>(segment);
            return new WeakReference<>(Mmap.registerUnchecked(device, segment, Access.LOCAL_READ_WRITE));
        }
    }
}
