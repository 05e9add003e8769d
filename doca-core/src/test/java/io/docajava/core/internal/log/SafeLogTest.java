/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.DocaLogLevel;
import io.docajava.core.testing.LogCapture;
import io.docajava.testing.HostileException;
import io.docajava.testing.UncaughtExceptions;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tests that code goes on if an appender throws an error, which logback passes on. */
@SuppressWarnings("try")
class SafeLogTest {

    private static final Logger LOG = LoggerFactory.getLogger(SafeLogTest.class);

    private final NoClassDefFoundError broken = new NoClassDefFoundError("an appender");
    private final ArithmeticException logged = new ArithmeticException("logged");

    private LogCapture failing(Class<?> logger) {
        return failing(logger.getName());
    }

    private LogCapture failing(String logger) {
        return LogCapture.of(logger, event -> {
            throw broken;
        });
    }

    @Test
    void theThreadGetsTheFailureOfALog() {
        try (LogCapture log = failing(SafeLogTest.class);
                UncaughtExceptions uncaught = new UncaughtExceptions()) {
            SafeLog.write(() -> LOG.warn("a record"));
            assertThat(log.lines()).containsExactly("WARN a record");
            assertThat(uncaught.list()).containsExactly(broken);
        }
    }

    @Test
    void theThreadGetsTheExceptionThatCouldNotBeLogged() {
        try (LogCapture log = failing(SafeLogTest.class);
                UncaughtExceptions uncaught = new UncaughtExceptions()) {
            SafeLog.write(logged, () -> LOG.warn("a record", logged));
            assertThat(uncaught.list()).containsExactly(logged);
            assertThat(logged.getSuppressed()).containsExactly(broken);
        }
    }

    @Test
    void anAppenderMayThrowTheExceptionItself() {
        try (UncaughtExceptions uncaught = new UncaughtExceptions()) {
            SafeLog.write(logged, () -> {
                throw logged;
            });
            assertThat(uncaught.list()).containsExactly(logged);
            assertThat(logged.getSuppressed()).isEmpty();
        }
    }

    @Test
    void anExceptionNeedNotBeComparable() {
        HostileException hostile = new HostileException();
        try (UncaughtExceptions uncaught = new UncaughtExceptions()) {
            SafeLog.write(logged, () -> {
                throw hostile;
            });
            assertThat(uncaught.list()).containsExactly(logged);
            assertThat(logged.getSuppressed()[0]).isSameAs(hostile);
        }
    }

    @Test
    void theExceptionOfACallbackReachesTheThread() {
        try (LogCapture log = failing(SafeLogTest.class);
                UncaughtExceptions uncaught = new UncaughtExceptions()) {
            SafeLog.callbackFailed(LOG, "A callback failed", logged);
            assertThat(log.lines()).containsExactly("ERROR A callback failed");
            assertThat(uncaught.list()).containsExactly(logged);
            assertThat(logged.getSuppressed()).containsExactly(broken);
        }
    }

    @Test
    void aHandlerOfTheThreadMayThrow() {
        try (UncaughtExceptions uncaught = new UncaughtExceptions()) {
            Thread.currentThread().setUncaughtExceptionHandler((thread, exception) -> {
                throw new IllegalStateException("a handler");
            });
            SafeLog.write(logged, () -> {
                throw broken;
            });
            assertThat(logged.getSuppressed()).containsExactly(broken);
        }
    }

    @Test
    void theLevelOfTheSdkHasADefault() {
        try (LogCapture log = failing("io.docajava.sdk");
                UncaughtExceptions uncaught = new UncaughtExceptions()) {
            assertThat(SdkLogBridge.initialLevel("loud")).isEqualTo(DocaLogLevel.WARNING);
            assertThat(log.events()).hasSize(1);
            assertThat(uncaught.list()).containsExactly(broken);
        }
    }
}
