/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.testing;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.docajava.core.Doca;
import io.docajava.ffi.log.SdkLog;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Captures all events of one logger in place of the build's appenders, until it is closed. */
public final class LogCapture implements AutoCloseable {

    private static final String SDK = "io.docajava.sdk";

    private static final long PATIENCE_MILLIS = 30_000;

    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
    private final boolean ofSdk;
    private final Logger logger;
    private final @Nullable Level level;
    private final boolean additive;
    private final AppenderBase<ILoggingEvent> appender;

    private LogCapture(String name, Consumer<ILoggingEvent> also) {
        ofSdk = name.equals(SDK);
        awaitSdk();
        logger = (Logger) LoggerFactory.getLogger(name);
        level = logger.getLevel();
        additive = logger.isAdditive();
        appender = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                event.prepareForDeferredProcessing();
                events.add(event);
                also.accept(event);
            }
        };
        appender.setContext(logger.getLoggerContext());
        appender.start();
        logger.addAppender(appender);
        logger.setLevel(Level.TRACE);
        logger.setAdditive(false);
    }

    /** Captures the records of the SDK. */
    public static LogCapture ofSdk() {
        return of(SDK);
    }

    public static LogCapture of(String logger) {
        return new LogCapture(logger, event -> {});
    }

    /** Captures events and passes each of them to a consumer. */
    public static LogCapture of(String logger, Consumer<ILoggingEvent> also) {
        return new LogCapture(logger, also);
    }

    /** Returns each event as {@code LEVEL text}. */
    public List<String> lines() {
        return events().stream()
                .map(event -> event.getLevel() + " " + event.getFormattedMessage())
                .toList();
    }

    /** Returns all events so far, including those that the SDK has logged before the call. */
    public List<ILoggingEvent> events() {
        awaitSdk();
        return List.copyOf(events);
    }

    /** Waits for the SDK's records, which a separate thread passes on. */
    private void awaitSdk() {
        if (ofSdk) {
            Doca.load();
            assertThat(SdkLog.awaitDelivery(PATIENCE_MILLIS))
                    .as("the SDK's records are delivered within %d ms", PATIENCE_MILLIS)
                    .isTrue();
        }
    }

    @Override
    public void close() {
        awaitSdk();
        logger.detachAppender(appender);
        logger.setLevel(level);
        logger.setAdditive(additive);
    }
}
