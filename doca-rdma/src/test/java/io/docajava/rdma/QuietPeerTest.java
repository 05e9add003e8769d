/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.junit.DocaEmulator;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** Tests that warnings about operations that do not complete name the connection, and that receives cause none. */
@Timeout(600)
@DocaEmulator
@SuppressWarnings("try")
class QuietPeerTest {

    private static final Duration LIMIT = Duration.ofMillis(20);

    @Test
    void aSendIsWarnedOfAndAReceiveIsNot() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger(ProgressEngine.class);
        ListAppender<ILoggingEvent> appender = new ListAppender<>();
        appender.start();
        logger.addAppender(appender);
        logger.setLevel(Level.WARN);
        logger.setAdditive(false);
        try (RdmaLab lab = new RdmaLab()) {
            lab.engine.warnAfter(LIMIT);
            Completion<Received> receive = lab.here.rdma.receive(lab.here.memory.range(0, 50));
            assertThat(lab.engine.await(receive::isDone, LIMIT.multipliedBy(4))).isFalse();
            assertThat(appender.list).isEmpty();

            Completion<Received> late = lab.there.rdma.receive(lab.there.memory.range(0, 50));
            Completion<Long> send;
            try (EmulatorFaults faults =
                    EmulatorFaults.builder().delay(Duration.ofHours(24)).inject()) {
                send = lab.connection.send(lab.here.filled(100, 20));
                lab.await(() -> !appender.list.isEmpty());
                assertThat(appender.list)
                        .extracting(event -> event.getFormattedMessage().replaceAll("[0-9]+ m?s,", "TIME,"))
                        .isEqualTo(
                                List.of(RdmaLab.HERE + ": no operation has completed for TIME, with 2 tasks in flight."
                                        + " The oldest is sending 20 bytes from 100 of " + lab.here.memory + " on "
                                        + lab.connection));
            }
            assertThat(lab.get(send)).isEqualTo(20);
            assertThat(lab.get(late).length()).isEqualTo(20);
            assertThat(lab.get(lab.back.send(lab.there.filled(500, 5)))).isEqualTo(5);
            assertThat(lab.get(receive).length()).isEqualTo(5);
        } finally {
            logger.detachAppender(appender);
            logger.setLevel(null);
            logger.setAdditive(true);
        }
    }
}
