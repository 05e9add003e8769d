/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Takes all that is logged to one logger, in place of the appenders of the build, until it is closed. */
public final class LogCapture implements AutoCloseable {

    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
    private final Logger logger;
    private final @Nullable Level level;
    private final boolean additive;
    private final AppenderBase<ILoggingEvent> appender;

    private LogCapture(String name, Consumer<ILoggingEvent> also) {
        logger = (Logger) LoggerFactory.getLogger(name);
        level = logger.getLevel();
        additive = logger.isAdditive();
        appender = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
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

    /** Of the SDK's records. */
    public static LogCapture ofSdk() {
        return of("io.docajava.sdk");
    }

    public static LogCapture of(String logger) {
        return new LogCapture(logger, event -> {});
    }

    /** With an appender that does something with each event. */
    public static LogCapture of(String logger, Consumer<ILoggingEvent> also) {
        return new LogCapture(logger, also);
    }

    /** Each event as {@code LEVEL text}. */
    public List<String> lines() {
        return events.stream()
                .map(event -> event.getLevel() + " " + event.getFormattedMessage())
                .toList();
    }

    public List<ILoggingEvent> events() {
        return List.copyOf(events);
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setLevel(level);
        logger.setAdditive(additive);
    }
}
