/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncEventContext;
import io.docajava.core.sync.SyncLocation;

/** A program with a listener that throws, and without a provider for its log. */
final class ThrowingListener {

    private ThrowingListener() {}

    public static void main(String[] arguments) {
        if (arguments.length > 0) {
            Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> {
                System.out.println("handler of " + thread.getName() + ": " + failure);
                throw new IllegalStateException("a handler that throws");
            });
        }
        try (Device device = Device.open(DeviceFilter.any());
                ProgressEngine engine = ProgressEngine.create();
                SyncEventContext events = SyncEvent.builder(device)
                        .publisher(SyncLocation.CPU)
                        .subscriber(SyncLocation.CPU)
                        .tasks()
                        .start(engine)) {
            events.addListener((context, previous, next) -> {
                throw new IllegalArgumentException("thrown at " + next);
            });
            events.stop();
            System.out.println("goes on");
        }
    }
}
