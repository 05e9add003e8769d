/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncLocation;
import io.docajava.core.testing.LogCapture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class ContextStartsTest {

    @Test
    void manyStartsAreWarnedOfOnce() {
        try (LogCapture log = LogCapture.of(ProgressEngine.class.getName());
                Device device = Device.open(DeviceFilter.any());
                ProgressEngine engine = ProgressEngine.create()) {
            startAndClose(device, engine, 255);
            assertThat(log.lines()).isEmpty();
            startAndClose(device, engine, 2);
            assertThat(log.lines())
                    .containsExactly("WARN Contexts of ProgressEngine of thread \""
                            + Thread.currentThread().getName()
                            + "\" were started 256 times. DOCA keeps something of each start until the engine is closed,"
                            + " and each further start takes longer. Close the contexts and the engine, and create new"
                            + " ones.");
        }
    }

    private static void startAndClose(Device device, ProgressEngine engine, int times) {
        for (int i = 0; i < times; i++) {
            SyncEvent.builder(device)
                    .publisher(SyncLocation.CPU)
                    .subscriber(SyncLocation.CPU)
                    .tasks()
                    .start(engine)
                    .close();
        }
    }
}
