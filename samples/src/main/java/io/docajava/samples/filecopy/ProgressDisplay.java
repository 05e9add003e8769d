/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.filecopy;

import java.io.Console;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows the progress of the copy: as a bar on a terminal, otherwise as log lines. */
final class ProgressDisplay {

    private static final Logger LOG = LoggerFactory.getLogger(ProgressDisplay.class);

    private static final long BAR_INTERVAL = Duration.ofMillis(100).toNanos();
    private static final long LINE_INTERVAL = Duration.ofSeconds(5).toNanos();
    private static final int BAR_WIDTH = 30;
    private static final String CLEAR_LINE = "\r\033[K";

    private final long total;
    private final boolean isBar;
    private final PrintStream out;
    private final LongSupplier clock;
    private final long began;
    private long shown;

    /**
     * @param total the number of bytes to copy
     * @param isBar whether to show a bar on the stream instead of lines in the log
     * @param clock the time in nanoseconds
     */
    ProgressDisplay(long total, boolean isBar, PrintStream out, LongSupplier clock) {
        this.total = total;
        this.isBar = isBar;
        this.out = out;
        this.clock = clock;
        this.began = clock.getAsLong();
        this.shown = began;
    }

    /** Begins a display that suits the output of this process. */
    static ProgressDisplay begin(long total) {
        boolean isBar = LOG.isInfoEnabled() && isTerminal(System.console());
        return new ProgressDisplay(total, isBar, System.out, System::nanoTime);
    }

    private static boolean isTerminal(@Nullable Console console) {
        return console != null && console.isTerminal();
    }

    /** Returns the time since the beginning in nanoseconds. */
    long elapsed() {
        return clock.getAsLong() - began;
    }

    /** Shows the number of copied bytes, unless the display was updated shortly before. */
    void update(long done) {
        long now = clock.getAsLong();
        if (total == 0 || now - shown < (isBar ? BAR_INTERVAL : LINE_INTERVAL)) {
            return;
        }
        shown = now;
        long percent = (long) (100.0 * done / total);
        String text = String.format(
                Locale.ROOT, "%3d %%, %s of %s, %s", percent, mebibytes(done), mebibytes(total), rate(done));
        if (isBar) {
            int width = (int) (percent * BAR_WIDTH / 100);
            out.print(CLEAR_LINE + "[" + "#".repeat(width) + ".".repeat(BAR_WIDTH - width) + "] " + text);
            out.flush();
        } else {
            LOG.info("{}", text.strip());
        }
    }

    /** Removes the bar, so that other lines can be written. */
    void end() {
        if (isBar) {
            out.print(CLEAR_LINE);
            out.flush();
        }
    }

    private String rate(long done) {
        return CopyReport.rate(done, elapsed());
    }

    private static String mebibytes(long bytes) {
        return (bytes >> 20) + " MiB";
    }
}
