/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.docajava.core.Doca;
import io.docajava.core.device.Device;
import io.docajava.core.internal.log.SdkErrors;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.ffi.log.SdkLog;
import io.docajava.testing.IsolatedLoader;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.LoggerFactory;

/**
 * Loads doca-java in many class loaders of a separate JVM, as a container does with applications, and drops them. All of them share
 * SLF4J and its back end. Prints how many could not be collected, and how often each remaining loader gets a record.
 */
public final class LoaderProbe {

    private static final int LOADERS = 30;
    private static final int PATIENCE_MILLIS = 30_000;
    private static final String READER = "doca-sdk-log";

    private LoaderProbe() {}

    /** Runs without arguments. */
    @SuppressWarnings("SystemOut")
    public static void main(String[] none) throws Exception {
        ReferenceQueue<ClassLoader> collected = new ReferenceQueue<>();
        List<WeakReference<ClassLoader>> dropped = new ArrayList<>();
        for (int i = 0; i < LOADERS; i++) {
            dropped.add(new WeakReference<>(use(i), collected));
        }
        await(collected);
        System.out.println("not collected: "
                + dropped.stream().filter(loader -> loader.get() != null).count());
        for (Thread reader : readers()) {
            reader.join(PATIENCE_MILLIS);
        }
        System.out.println("threads left: " + readers().size());

        AtomicInteger records = new AtomicInteger();
        Logger logger = (Logger) LoggerFactory.getLogger("io.docajava.sdk");
        logger.setLevel(Level.ERROR);
        logger.addAppender(counting(records));
        try (IsolatedLoader one = new IsolatedLoader();
                IsolatedLoader other = new IsolatedLoader()) {
            one.run(Load.class);
            other.run(Load.class);
            one.run(LogOnce.class);
            other.run(AwaitLog.class);
            System.out.println("records of one error in two loaders: " + records.getAndSet(0));
            other.run(Shutdown.class);
            one.run(LogOnce.class);
            System.out.println("records of one error when one of them has shut down: " + records.getAndSet(0));
            other.run(Load.class);
            one.run(LogOnce.class);
            other.run(AwaitLog.class);
            System.out.println("records of one error when it has loaded again: " + records.get());
        }
    }

    /** Uses doca-java in a new loader. Every second one shuts it down, and every third one leaves a device open. */
    private static ClassLoader use(int number) throws Exception {
        try (IsolatedLoader loader = new IsolatedLoader()) {
            loader.run(Use.class);
            if (number % 3 == 0) {
                loader.run(Leak.class);
            }
            if (number % 2 == 0) {
                loader.run(Shutdown.class);
            }
            return loader;
        }
    }

    private static void await(ReferenceQueue<ClassLoader> collected) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE_MILLIS * 1_000_000L;
        int count = 0;
        while (count < LOADERS && System.nanoTime() < end) {
            System.gc();
            // A JDK thread reports the leaks, alternately with the collections.
            if (collected.remove(100) != null) {
                count++;
                while (collected.poll() != null) {
                    count++;
                }
            }
        }
    }

    private static List<Thread> readers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(READER))
                .toList();
    }

    private static AppenderBase<ILoggingEvent> counting(AtomicInteger records) {
        AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                records.incrementAndGet();
            }
        };
        appender.start();
        return appender;
    }

    /** Uses devices and an engine, and closes them. */
    public static final class Use implements Runnable {
        @Override
        public void run() {
            try (Device device = Device.open(Device.list().getFirst());
                    ProgressEngine engine = ProgressEngine.create()) {
                engine.progress();
                SdkErrors.log("an error in " + device);
            }
            new AwaitLog().run();
        }
    }

    /** Leaves a device open. */
    public static final class Leak implements Runnable {
        @Override
        @SuppressWarnings("resource")
        public void run() {
            Device.open(Device.list().getFirst());
        }
    }

    /** Loads the libraries. */
    public static final class Load implements Runnable {
        @Override
        public void run() {
            Doca.load();
        }
    }

    /** Ends the background threads. */
    public static final class Shutdown implements Runnable {
        @Override
        public void run() {
            Doca.shutdown();
        }
    }

    /** Makes the SDK log an error, and waits until it has been passed on. */
    public static final class LogOnce implements Runnable {
        @Override
        public void run() {
            SdkErrors.log("an error");
            new AwaitLog().run();
        }
    }

    /** Waits until all records have been passed on. */
    public static final class AwaitLog implements Runnable {
        @Override
        public void run() {
            if (!SdkLog.awaitDelivery(PATIENCE_MILLIS)) {
                throw new IllegalStateException("The records were not delivered");
            }
        }
    }
}
