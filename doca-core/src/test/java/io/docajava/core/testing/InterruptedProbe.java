/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.testing;

import io.docajava.core.device.Device;

/** Makes the first call of doca-java on an interrupted thread, then a call on another thread. */
public final class InterruptedProbe {

    private InterruptedProbe() {}

    /** Runs without arguments. */
    @SuppressWarnings("SystemOut")
    public static void main(String[] none) throws Exception {
        Thread.currentThread().interrupt();
        int devices = Device.list().size();
        boolean interrupted = Thread.interrupted();
        Thread other = Thread.ofPlatform()
                .start(() -> System.out.println("later: " + Device.list().size()));
        other.join();
        System.out.println("first: " + devices + (interrupted ? ", still interrupted" : ""));
    }
}
