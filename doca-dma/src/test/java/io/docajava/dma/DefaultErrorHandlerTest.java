/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.docajava.core.memory.Buf;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.junit.DocaExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/** Tests that exceptions of callbacks are logged if no error handler is set. */
@ExtendWith(DocaExtension.class)
@Timeout(60)
class DefaultErrorHandlerTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger(ProgressEngine.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
        logger.setLevel(Level.INFO);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
        logger.setLevel(null);
    }

    @Test
    void logsWhatACallbackThrows() throws Exception {
        try (Lab lab = new Lab(builder -> builder.maxTasks(1), false)) {
            Buf source = lab.data(0, 10);
            lab.dma.copy(
                    source,
                    lab.space(1000, 10),
                    new Repeat(
                            () -> {
                                throw new ArithmeticException("callback");
                            },
                            lab.dma));
            lab.drain();
        }
        assertThat(log.list).singleElement().satisfies(event -> {
            assertThat(event.getLevel()).isEqualTo(Level.ERROR);
            assertThat(event.getFormattedMessage()).isEqualTo("A callback failed; the progress engine goes on");
            assertThat(event.getThrowableProxy().getMessage()).isEqualTo("callback");
        });
    }

    @Test
    void logsWhatAnErrorHandlerThrows() throws Exception {
        try (Lab lab = new Lab(builder -> builder.maxTasks(1), false)) {
            lab.engine.errorHandler(failure -> {
                throw new IllegalArgumentException("handler");
            });
            lab.dma.copy(
                    lab.data(0, 10),
                    lab.space(1000, 10),
                    new Repeat(
                            () -> {
                                throw new ArithmeticException("callback");
                            },
                            lab.dma));
            lab.drain();
        }
        assertThat(log.list).singleElement().satisfies(event -> {
            assertThat(event.getLevel()).isEqualTo(Level.ERROR);
            assertThat(event.getFormattedMessage()).isEqualTo("The error handler of a progress engine failed");
            assertThat(event.getThrowableProxy().getMessage()).isEqualTo("handler");
            assertThat(event.getThrowableProxy().getSuppressed()[0].getMessage())
                    .isEqualTo("callback");
        });
    }
}
