/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.lifecycle;

import java.lang.ref.Cleaner;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says which objects became unreachable without having been closed. It only reports: what was leaked stays as it is, for
 * native code may still use it. The system property {@code doca.leak} is {@code off}, {@code count} (the default:
 * what leaked) or {@code trace} (and where that was opened).
 */
final class LeakReport {

    private enum Mode {
        OFF,
        COUNT,
        TRACE
    }

    private static final Logger LOG = LoggerFactory.getLogger("io.docajava.leak");
    private static final Mode MODE = mode();
    private static final Cleaner CLEANER = Cleaner.create();
    private static final AtomicLong LEAKS = new AtomicLong();

    private static final LeakReport NONE = new LeakReport(null, null);

    private final Cleaner.@Nullable Cleanable cleanable;
    private final @Nullable Watch watch;

    private LeakReport(@Nullable Watch watch, Cleaner.@Nullable Cleanable cleanable) {
        this.watch = watch;
        this.cleanable = cleanable;
    }

    static LeakReport watch(Object owner, String description) {
        if (MODE == Mode.OFF) {
            return NONE;
        }
        Watch watch = new Watch(
                description, MODE == Mode.TRACE ? new Throwable("Here " + description + " was opened") : null);
        return new LeakReport(watch, CLEANER.register(owner, watch));
    }

    /** The object was closed as it should be. */
    void closed() {
        if (watch != null && cleanable != null) {
            watch.closed = true;
            cleanable.clean();
        }
    }

    /** How many leaks have been reported in this process. */
    static long count() {
        return LEAKS.get();
    }

    private static Mode mode() {
        String value = System.getProperty("doca.leak", "count");
        try {
            return Mode.valueOf(value.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            LOG.warn("doca.leak is off, count or trace, and not '{}': count is used", value);
            return Mode.COUNT;
        }
    }

    /** Must not reach the owner, which would never become unreachable then. */
    private static final class Watch implements Runnable {

        private final String description;
        private final @Nullable Throwable opened;
        private volatile boolean closed;

        Watch(String description, @Nullable Throwable opened) {
            this.description = description;
            this.opened = opened;
        }

        @Override
        public void run() {
            if (closed) {
                return;
            }
            long leaks = LEAKS.incrementAndGet();
            if (opened != null) {
                LOG.warn("{} was never closed (leak {} of this process)", description, leaks, opened);
            } else {
                LOG.warn(
                        "{} was never closed (leak {} of this process); -Ddoca.leak=trace shows where it was opened",
                        description,
                        leaks);
            }
        }
    }
}
