/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.read.ListAppender;
import io.docajava.DocaException;
import io.docajava.core.context.ContextState;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.MapRange;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.Await;
import io.docajava.testing.HostileException;
import io.docajava.testing.UncaughtExceptions;
import io.docajava.testing.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Tests that exceptions of callbacks are logged if no error handler is set, and that a failure of the log does no harm. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class DefaultErrorHandlerTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger(ProgressEngine.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    private final NoClassDefFoundError broken = new NoClassDefFoundError("an appender");
    private final AppenderBase<ILoggingEvent> failing = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            throw broken;
        }
    };

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
            MapRange source = lab.filled(0, 10);
            lab.dma.copy(
                    source,
                    lab.memory.range(1000, 10),
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
                    lab.filled(0, 10),
                    lab.memory.range(1000, 10),
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

    @Test
    void aLoopGoesOnIfAnExceptionOfItsErrorHandlerIsNotComparable() throws Exception {
        HostileException second = new HostileException();
        List<Throwable> notLogged = new CopyOnWriteArrayList<>();
        try (ProgressLoop loop = ProgressLoop.builder()
                        .errorHandler(failure -> {
                            throw second;
                        })
                        .start();
                LoopLab lab = new LoopLab(loop, 1)) {
            loop.thread().setUncaughtExceptionHandler((thread, failure) -> notLogged.add(failure));
            ArithmeticException thrown = new ArithmeticException("listener");
            restartWithListener(loop, lab, thrown, () -> second.getSuppressed().length == 0);
            // Logback fails to log the exception, whose methods throw.
            assertThat(notLogged).hasSize(1);
            assertThat(notLogged.getFirst()).isSameAs(second);
            assertThat(second.getSuppressed()[0]).isSameAs(thrown);
        }
    }

    /** Restarts the context with a listener that throws at its end under a condition. Then the loop copies. */
    private static void restartWithListener(
            ProgressLoop loop, LoopLab lab, RuntimeException thrown, BooleanSupplier throwsNow) throws Exception {
        loop.call(engine -> {
                    lab.context().addListener((context, previous, next) -> {
                        if (next == ContextState.IDLE && throwsNow.getAsBoolean()) {
                            throw thrown;
                        }
                    });
                    lab.context().stop();
                    lab.context().restart();
                    return true;
                })
                .join();
        assertThat(Await.result(Work.on(loop, () -> lab.copy(0)), "a copy")).isEqualTo(LoopLab.BLOCK);
    }

    /** Logback passes on an error of an appender. */
    @Test
    void aLoopGoesOnIfAnAppenderFails() throws Exception {
        ArithmeticException thrown = new ArithmeticException("listener");
        List<Throwable> notLogged = new CopyOnWriteArrayList<>();
        failing.start();
        logger.addAppender(failing);
        try (ProgressLoop loop = ProgressLoop.start();
                LoopLab lab = new LoopLab(loop, 1)) {
            loop.thread().setUncaughtExceptionHandler((thread, failure) -> notLogged.add(failure));
            restartWithListener(loop, lab, thrown, () -> notLogged.isEmpty());
            assertThat(notLogged).containsExactly(thrown);
            assertThat(thrown.getSuppressed()).containsExactly(broken);
        } finally {
            logger.detachAppender(failing);
        }
    }

    /** An appender is user code, which may do what a callback may do. */
    @Test
    @SuppressWarnings("try")
    void anAppenderMayCloseTheContextThatIsRestarted() {
        List<String> refused = new ArrayList<>();
        try (Lab lab = new Lab();
                UncaughtExceptions uncaught = new UncaughtExceptions()) {
            AppenderBase<ILoggingEvent> closing = new AppenderBase<>() {
                @Override
                protected void append(ILoggingEvent event) {
                    lab.dma.close();
                    refused.add(String.valueOf(catchThrowable(lab.engine::close).getMessage()));
                }
            };
            closing.start();
            logger.addAppender(closing);
            try {
                while (refused.isEmpty()) {
                    lab.dma.stop();
                    lab.dma.restart();
                }
            } finally {
                logger.detachAppender(closing);
            }
            assertThat(log.list).hasSize(1);
            assertThat(log.list.getFirst().getFormattedMessage())
                    .startsWith("Contexts of " + lab.engine + " were started 256 times.");
            assertThat(refused).containsExactly(lab.engine + " is delivering completions: a callback cannot close it");
            assertThat(uncaught.list()).isEmpty();
            assertThat(lab.dma.state()).isEqualTo(ContextState.IDLE);
            assertThatThrownBy(lab.dma::restart)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(lab.dma + " is closed");
        }
    }

    /** A list that cannot be freed, and an optional property that cannot be read, are only logged. */
    @ParameterizedTest
    @ValueSource(strings = {"doca_devinfo_destroy_list", "doca_devinfo_get_iface_name"})
    @DocaEmulator
    @SuppressWarnings("try")
    void aDeviceIsOpenedIfAnAppenderFails(String function) {
        Logger ofDevices = (Logger) LoggerFactory.getLogger(Device.class);
        ofDevices.setLevel(Level.DEBUG);
        failing.start();
        ofDevices.addAppender(failing);
        UncaughtExceptions uncaught = new UncaughtExceptions();
        try (uncaught;
                EmulatorFaults faults =
                        EmulatorFaults.builder().failCall(function, 1, "DRIVER").inject();
                Device device = Device.open(DeviceFilter.any())) {
            assertThat(device.info().displayName()).isNotEmpty();
            assumeTrue(EmulatorFaults.failedCall().isPresent(), "This release has another name for the function");
        } finally {
            ofDevices.detachAppender(failing);
            ofDevices.setLevel(null);
        }
        assertThat(uncaught.list())
                .singleElement()
                .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
                .isInstanceOf(DocaException.class)
                .hasMessageContaining(function + " failed with DOCA_ERROR_DRIVER")
                .hasSuppressedException(broken);
    }
}
