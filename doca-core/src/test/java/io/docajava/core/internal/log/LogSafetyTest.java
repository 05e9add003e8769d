/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.docajava.DocaException;
import io.docajava.core.Doca;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.memory.MmapExport;
import io.docajava.core.testing.ChildJvm;
import io.docajava.core.testing.Requirements;
import io.docajava.emulator.EmulatorEnvironment;
import io.docajava.testing.Await;
import io.docajava.testing.NeedsEmulator;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tests that log records never end or hang the JVM, whatever the state of its stack, its heap or its appenders. */
class LogSafetyTest {

    @Test
    void aStackThatOverflowsAroundCallsThatLog() throws Exception {
        assertThat(new ChildJvm().option("-Xss512k").run(Recursion.class))
                .containsExactly("overflowed 3 times", "refused: true", "the reason as before: true");
    }

    /** Recurses without end, and makes the SDK log an error at each step. */
    static final class Recursion {

        private static final MmapExport DAMAGED = MmapExport.of(new byte[] {1, 2, 3}, 4096, 4096);

        public static void main(String[] arguments) {
            try (Device device = Device.open(DeviceFilter.any())) {
                String before = refuse(device);
                int overflows = 0;
                for (int i = 0; i < 3; i++) {
                    try {
                        recurse(device);
                    } catch (StackOverflowError e) {
                        overflows++;
                    }
                }
                System.out.println("overflowed " + overflows + " times");
                String message = refuse(device);
                System.out.println("refused: " + message.startsWith("Importing Mmap of 4096 bytes"));
                System.out.println("the reason as before: " + message.equals(before));
                System.out.flush();
            }
        }

        @SuppressWarnings("InfiniteRecursion") // recursion is intended
        private static int recurse(Device device) {
            return refuse(device).length() + recurse(device);
        }

        private static String refuse(Device device) {
            try (Mmap map = Mmap.fromExport(device, DAMAGED)) {
                return map.toString();
            } catch (DocaException e) {
                // Replaces addresses, which differ.
                return String.valueOf(e.getMessage()).replaceAll("0x[0-9a-f]+", "0x");
            }
        }
    }

    /** The emulator logs an export while the call is running. */
    @Test
    @NeedsEmulator
    void anAppenderThatClosesWhatTheCallUses() throws Exception {
        Requirements.ownLog();
        assertThat(new ChildJvm()
                        .environment(EmulatorEnvironment.ROLE, "host")
                        .option("-Ddoca.log.level=INFO")
                        .logging()
                        .run(ClosingAppender.class))
                .contains("closed behind the call: true", "the export is whole: true");
    }

    /** An appender that closes a map when the SDK logs its export. */
    static final class ClosingAppender {

        public static void main(String[] arguments) throws InterruptedException {
            Doca.load();
            CountDownLatch closed = new CountDownLatch(1);
            try (Device device = Device.open(DeviceFilter.pciAddress("0b:00.0"))) {
                Access access = Access.PCI_READ_WRITE.plus(Access.LOCAL_READ_WRITE);
                Mmap map = Mmap.allocate(device, 4096, access);
                append(event -> {
                    if (event.getFormattedMessage().contains("was exported")) {
                        map.close();
                        closed.countDown();
                    }
                });
                MmapExport export = map.exportPci(device);
                System.out.println("closed behind the call: " + closed.await(Await.LIMIT_S, TimeUnit.SECONDS));
                int length = export.descriptor().length;
                System.out.println("the export is whole: " + (length > 64 && length < 4096));
            }
        }

        private static void append(Consumer<ILoggingEvent> action) {
            Logger logger = (Logger) LoggerFactory.getLogger("io.docajava.sdk");
            AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
                @Override
                protected void append(ILoggingEvent event) {
                    action.accept(event);
                }
            };
            appender.setContext(logger.getLoggerContext());
            appender.start();
            logger.setLevel(Level.TRACE);
            logger.addAppender(appender);
        }
    }
}
