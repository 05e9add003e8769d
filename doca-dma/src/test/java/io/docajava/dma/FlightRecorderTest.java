/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.docajava.core.context.ContextState;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the events that are recorded with JDK Flight Recorder. */
class FlightRecorderTest {

    @TempDir
    private Path folder;

    /** The recorded code. */
    @FunctionalInterface
    private interface Code {

        void run() throws Exception;
    }

    @Test
    void aCopyIsAnEvent() throws Exception {
        try (Lab lab = new Lab(4)) {
            MapRange source = lab.memory.range(0, 100);
            MapRange target = lab.memory.range(1000, 100);

            List<RecordedEvent> events = record(() -> {
                // An engine notices a recording in its next round.
                lab.engine.progress();
                lab.dma.copy(source, target).await();
            });

            assertThat(named("doca.Operation", events)).singleElement().satisfies(copy -> {
                assertThat(copy.getString("type")).isEqualTo("doca_dma_task_memcpy");
                assertThat(copy.getString("context")).isEqualTo(lab.dma.toString());
                assertThat(copy.getLong("bytes")).isEqualTo(100);
                assertThat(copy.getInt("tasks")).isEqualTo(1);
                assertThat(copy.getBoolean("succeeded")).isTrue();
                assertThat(copy.getDuration()).isPositive();
            });
        }
    }

    @Test
    void aSeriesIsOneEvent() throws Exception {
        try (Lab lab = new Lab(4)) {
            List<MapRange> sources = List.of(lab.memory.range(0, 100), lab.memory.range(200, 100));
            List<MapRange> targets = List.of(lab.memory.range(1000, 100), lab.memory.range(2000, 100));
            try (DmaSeries series = lab.dma.series(sources, targets)) {
                List<RecordedEvent> events = record(() -> {
                    series.submit();
                    while (series.status() == TaskStatus.IN_FLIGHT) {
                        lab.engine.progress();
                    }
                });

                assertThat(named("doca.Operation", events)).singleElement().satisfies(copies -> {
                    assertThat(copies.getLong("bytes")).isEqualTo(200);
                    assertThat(copies.getInt("tasks")).isEqualTo(2);
                });
            }
        }
    }

    @Test
    void aFailureIsAnEventAndSoAreTheStatesOfItsContext() throws Exception {
        try (Lab lab = new Lab(4)) {
            Buf source = lab.data(0, 100);
            Buf target = lab.space(1000, 100);
            Lab.spoil(source);

            List<RecordedEvent> events = record(() -> {
                assertThatExceptionOfType(TaskFailedException.class)
                        .isThrownBy(() -> lab.dma.copy(source, target).await());
                while (lab.dma.state() != ContextState.IDLE) {
                    lab.engine.progress();
                }
            });

            assertThat(named("doca.Operation", events))
                    .singleElement()
                    .satisfies(copy -> assertThat(copy.getBoolean("succeeded")).isFalse());
            assertThat(named("doca.OperationFailed", events)).singleElement().satisfies(failure -> {
                assertThat(failure.getString("type")).isEqualTo("doca_dma_task_memcpy");
                assertThat(failure.getString("message")).startsWith("Copying 100 bytes");
            });
            assertThat(named("doca.ContextState", events))
                    .extracting(event -> event.getString("previous") + " " + event.getString("state"))
                    .containsExactly("RUNNING STOPPING", "STOPPING IDLE");
        }
    }

    @Test
    void memoryIsRegisteredExportedAndReleased() throws Exception {
        try (Lab lab = new Lab(4)) {
            Requirements.exports(lab.device);
            List<RecordedEvent> events = record(() -> {
                try (Mmap memory =
                        Mmap.allocate(lab.device, 12_345, Access.LOCAL_READ_WRITE.plus(Access.PCI_READ_WRITE))) {
                    assertThat(memory.exportPci(lab.device).length()).isEqualTo(12_345);
                }
            });

            assertThat(events)
                    .extracting(event -> event.getEventType().getName())
                    .containsExactly("doca.MemoryRegistered", "doca.Exported", "doca.MemoryReleased");
            assertThat(events.getFirst().getLong("bytes")).isEqualTo(12_345);
            assertThat(events.getLast().getString("memory")).startsWith("Mmap of 12345 bytes on ");
        }
    }

    @Test
    void aSleepAndALongRoundAreEvents() throws Exception {
        try (Lab lab = new Lab(4)) {
            MapRange source = lab.memory.range(0, 100);
            MapRange target = lab.memory.range(1000, 100);

            List<RecordedEvent> events = record(() -> {
                assertThat(lab.engine.awaitEvent(Duration.ofMillis(5))).isFalse();
                var slow = lab.dma.copy(source, target).whenComplete((bytes, failure) -> {
                    long begun = System.nanoTime();
                    while (System.nanoTime() - begun < 30_000_000) {
                        Thread.onSpinWait();
                    }
                });
                lab.drain();
                assertThat(slow).isCompletedWithValue(100L);
            });

            assertThat(named("doca.EngineSleep", events))
                    .first()
                    .satisfies(sleep -> assertThat(sleep.getDuration()).isGreaterThanOrEqualTo(Duration.ofMillis(4)));
            assertThat(named("doca.EngineStall", events))
                    .first()
                    .satisfies(stall -> assertThat(stall.getDuration()).isGreaterThanOrEqualTo(Duration.ofMillis(30)));
        }
    }

    private List<RecordedEvent> record(Code code) throws Exception {
        Path file = folder.resolve("recording.jfr");
        try (Recording recording = new Recording()) {
            for (String operation : List.of("Operation", "EngineSleep")) {
                recording.enable("doca." + operation).withoutThreshold();
            }
            recording.start();
            code.run();
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith("doca."))
                .sorted(Comparator.comparing(RecordedEvent::getStartTime))
                .toList();
    }

    private static List<RecordedEvent> named(String name, List<RecordedEvent> events) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals(name))
                .toList();
    }
}
