/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.filecopy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ProgressDisplayTest {

    private static final long GIB = 1L << 30;

    private final ByteArrayOutputStream terminal = new ByteArrayOutputStream();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(ProgressDisplay.class);
    private long now = 42;

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
    }

    private ProgressDisplay display(long total, boolean isBar) {
        return new ProgressDisplay(total, isBar, new PrintStream(terminal, true, UTF_8), () -> now);
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    @Test
    void drawsABarTenTimesASecondAtMost() {
        ProgressDisplay display = display(2 * GIB, true);

        pass(Duration.ofMillis(99));
        display.update(GIB);
        assertThat(terminal.size()).isZero();
        pass(Duration.ofMillis(401));
        display.update(GIB);
        display.update(2 * GIB);
        pass(Duration.ofMillis(500));
        display.update(2 * GIB);
        display.end();

        assertThat(terminal.toString(UTF_8))
                .isEqualTo("\r\033[K[###############...............]  50 %, 1024 MiB of 2048 MiB, 2.00 GiB/s"
                        + "\r\033[K[##############################] 100 %, 2048 MiB of 2048 MiB, 2.00 GiB/s"
                        + "\r\033[K");
        assertThat(lines.list).isEmpty();
    }

    @Test
    void logsALineNowAndThenWhereThereIsNoTerminal() {
        ProgressDisplay display = display(10 * GIB, false);

        pass(Duration.ofMillis(4999));
        display.update(GIB);
        assertThat(lines.list).isEmpty();
        pass(Duration.ofMillis(1));
        display.update(GIB);
        display.update(2 * GIB);
        display.end();

        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly("10 %, 1024 MiB of 10240 MiB, 204.80 MiB/s");
        assertThat(terminal.size()).isZero();
    }

    @Test
    void showsNothingOfAnEmptyFile() {
        ProgressDisplay display = display(0, true);

        pass(Duration.ofSeconds(1));
        display.update(0);

        assertThat(terminal.size()).isZero();
    }
}
