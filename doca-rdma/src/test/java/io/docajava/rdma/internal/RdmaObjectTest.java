/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.UncaughtExceptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that the end of a native context closes all that belongs to it. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class RdmaObjectTest {

    private Device device;

    @BeforeEach
    void open() {
        device = Device.open(DeviceFilter.ibDevice("mlx5_0"));
    }

    @AfterEach
    void close() {
        device.close();
    }

    /** The native object is destroyed, so no later call closes the other parts. */
    @Test
    void closesAllPartsAlthoughOneFailsWithAnError() {
        List<String> closed = new ArrayList<>();
        RdmaObject object = new RdmaObject(device);
        object.add(() -> {
            closed.add("first");
            throw new StackOverflowError("as a test");
        });
        object.add(() -> closed.add("second"));
        assertThat(object.destroy()).isZero();
        assertThat(closed).containsExactly("first", "first", "second");
    }

    @Test
    void closesAllPartsAlthoughTheLogFails() {
        NoClassDefFoundError broken = new NoClassDefFoundError("a log");
        @SuppressWarnings("serial") // is not serialized
        IllegalStateException thrown = new IllegalStateException("as a test") {
            @Override
            public String getMessage() {
                throw broken;
            }
        };
        List<String> closed = new ArrayList<>();
        try (UncaughtExceptions uncaught = new UncaughtExceptions()) {
            RdmaObject object = new RdmaObject(device);
            object.add(() -> {
                closed.add("first");
                throw thrown;
            });
            object.add(() -> closed.add("second"));
            assertThat(object.destroy()).isZero();
            assertThat(uncaught.list().stream().filter(thrown::equals).count()).isEqualTo(2);
        }
        assertThat(closed).containsExactly("first", "first", "second");
        assertThat(thrown.getSuppressed()).containsExactly(broken, broken);
    }
}
