/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.core.read.ListAppender;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.Await;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/** Tests the warning about an engine whose thread waits for operations without progress. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class NeglectedEngineTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger(ProgressEngine.class);
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    @BeforeEach
    void listen() {
        appender.list = new CopyOnWriteArrayList<>();
        appender.start();
        logger.addAppender(appender);
        logger.setLevel(Level.WARN);
        logger.setAdditive(false);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(appender);
        logger.setLevel(null);
        logger.setAdditive(true);
    }

    @Test
    void warnsOnceIfItsThreadWaitsInAJoin() throws Exception {
        CompletableFuture<Completion<Long>> submitted = new CompletableFuture<>();
        FutureTask<String> waiting = new FutureTask<>(() -> {
            try (Lab lab = new Lab()) {
                lab.engine.warnAfter(Duration.ofMillis(1));
                Completion<Long> copy = lab.dma.copy(lab.data(0, 64), lab.space(64, 64));
                submitted.complete(copy);
                CompletableFuture.allOf(copy).join();
                // A copy may need more than a millisecond on a busy machine, and the engine would warn again.
                lab.engine.warnAfter(Duration.ZERO);
                lab.engine.await(() -> lab.engine.inFlight() == 0);
                return lab.engine.toString();
            }
        });
        Thread.ofPlatform().name("neglectful").start(waiting);
        Completion<Long> copy = submitted.get(Await.LIMIT_S, TimeUnit.SECONDS);
        Await.until(() -> !appender.list.isEmpty(), "the warning");
        copy.complete(64L);

        String engine = waiting.get(Await.LIMIT_S, TimeUnit.SECONDS);
        assertThat(appender.list)
                .singleElement()
                .satisfies(event -> assertThat(event.getFormattedMessage())
                        .isEqualTo(engine
                                + " has not progressed for 1 s although operations or connects are in flight. They"
                                + " complete only while its thread progresses: call await or awaitAll there, or use a"
                                + " ProgressLoop"))
                .satisfies(event -> {
                    assertThat(event.getThrowableProxy().getMessage()).isEqualTo("Stack of thread \"neglectful\"");
                    assertThat(frames(event)).contains(CompletableFuture.class.getName() + ".join");
                });
    }

    private static List<String> frames(ILoggingEvent event) {
        return Arrays.stream(event.getThrowableProxy().getStackTraceElementProxyArray())
                .map(StackTraceElementProxy::getStackTraceElement)
                .map(frame -> frame.getClassName() + "." + frame.getMethodName())
                .toList();
    }
}
