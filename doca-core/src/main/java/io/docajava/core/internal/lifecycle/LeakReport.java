/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.lifecycle;

import io.docajava.core.internal.jfr.Jfr;
import io.docajava.core.internal.log.SafeLog;
import java.lang.ref.Cleaner;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports an object that became unreachable without having been closed. It does not free the object, since native code may still
 * use it, and does not refer to it, as the object would never become unreachable then. The system property {@code doca.leak} is
 * {@code off}, {@code count} (the default: reports the object) or {@code trace} (also reports where it was opened).
 */
public final class LeakReport implements Runnable {

    enum Mode {
        OFF,
        COUNT,
        TRACE
    }

    private static final Logger LOG = LoggerFactory.getLogger("io.docajava.leak");
    private static final Mode MODE = mode(System.getProperty("doca.leak"));
    private static final AtomicLong LEAKS = new AtomicLong();

    /** True if the stack of the caller is recorded for each object that is opened from now on. */
    private static volatile boolean tracing = MODE == Mode.TRACE;

    private final String description;
    private final @Nullable Throwable opened;
    private volatile boolean closing;
    /** Null if leaks are not reported. */
    private Cleaner.@Nullable Cleanable cleanable;

    private LeakReport(String description) {
        this.description = description;
        this.opened = tracing ? trace("Here " + description + " was opened") : null;
    }

    static LeakReport watch(Object owner, String description) {
        LeakReport report = new LeakReport(description);
        if (MODE != Mode.OFF) {
            report.cleanable = Watcher.CLEANER.register(owner, report);
        }
        return report;
    }

    /**
     * Returns the stack of the caller if openings are traced, otherwise null. On the thread of a loop, the stack of the start of
     * the loop is the cause.
     */
    public static @Nullable Throwable trace(String message) {
        if (!tracing) {
            return null;
        }
        return new Throwable(message, Thread.currentThread() instanceof OwningThread loop ? loop.started() : null);
    }

    /** Traces openings from now on, as {@code -Ddoca.leak=trace} does. For tests. */
    public static void traceOpenings() {
        tracing = true;
    }

    /** Returns where the object was opened, if that was traced. */
    @Nullable
    Throwable opened() {
        return opened;
    }

    /** Sets whether the object is being closed. Its owner may become unreachable during that time without being leaked. */
    void setClosing(boolean isClosing) {
        closing = isClosing;
    }

    /** Ends the watch of an object that was closed. */
    void closed() {
        setClosing(true);
        if (cleanable != null) {
            cleanable.clean();
        }
    }

    @Override
    public void run() {
        if (closing) {
            return;
        }
        long leaks = LEAKS.incrementAndGet();
        Jfr.leaked(description);
        // The thread of the cleaner would ignore a failure.
        SafeLog.write(() -> log(leaks));
    }

    private void log(long leaks) {
        if (opened != null) {
            LOG.warn("{} was never closed (leak {} of this process)", description, leaks, opened);
        } else {
            LOG.warn(
                    "{} was never closed (leak {} of this process); -Ddoca.leak=trace shows where it was opened",
                    description,
                    leaks);
        }
    }

    /** Returns the mode of the system property, or the default if it is not set or invalid. */
    static Mode mode(@Nullable String name) {
        if (name == null) {
            return Mode.COUNT;
        }
        try {
            return Mode.valueOf(name.strip().toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            SafeLog.write(() -> LOG.warn("doca.leak is off, count or trace, and not \"{}\": count is used", name));
            return Mode.COUNT;
        }
    }

    /** Creates the cleaner, which has a thread, only if an object is watched. */
    private static final class Watcher {
        static final Cleaner CLEANER = Cleaner.create();
    }
}
