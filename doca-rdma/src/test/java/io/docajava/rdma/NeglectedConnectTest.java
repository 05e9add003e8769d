/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.Await;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/** Tests the warning about a thread that waits for a connect and does not progress. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
@NeedsFunction(NeedsFunction.CONNECTIONS)
class NeglectedConnectTest {

    /** No process listens there. */
    private static final int PORT = 19_999;

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
    void warnsOnceIfTheThreadWaitsForAConnectAndDoesNotProgress() throws Exception {
        CompletableFuture<Completion<RdmaConnection>> started = new CompletableFuture<>();
        FutureTask<String> waiting = new FutureTask<>(() -> {
            try (RdmaLab lab = new RdmaLab()) {
                lab.engine.warnAfter(Duration.ofMillis(1));
                RdmaAddress address =
                        RdmaAddress.of(lab.there.device.info().ipv6().orElseThrow());
                Completion<RdmaConnection> connect = lab.here.rdma.connect(address, PORT);
                started.complete(connect);
                CompletableFuture.allOf(connect)
                        .handle((none, cancelled) -> true)
                        .join();
                return lab.engine.toString();
            }
        });
        Thread.ofPlatform().name("neglectful").start(waiting);
        Completion<RdmaConnection> connect = started.join();
        Await.until(() -> !appender.list.isEmpty(), "the warning");
        assertThat(connect.cancel(true)).isTrue();
        assertThat(waiting.get()).isNotNull();
        assertThat(appender.list)
                .singleElement()
                .satisfies(event -> assertThat(event.getFormattedMessage())
                        .isEqualTo(waiting.get() + " has not progressed for 1 s although operations or connects are in"
                                + " flight. They complete only while its thread progresses: call await or awaitAll there,"
                                + " or use a ProgressLoop"));
    }
}
