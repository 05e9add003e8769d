/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.exchange;

import java.util.concurrent.CountDownLatch;

/** Occupies all carriers of virtual threads, so that no other virtual thread runs until this is closed. */
final class BusyCarriers implements AutoCloseable {

    private volatile boolean isReleased;

    /** Returns when all carriers are occupied. */
    static BusyCarriers occupy() throws InterruptedException {
        BusyCarriers busy = new BusyCarriers();
        int carriers = Integer.getInteger(
                "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors());
        CountDownLatch running = new CountDownLatch(carriers);
        for (int i = 0; i < carriers; i++) {
            Thread.ofVirtual().name("busy carrier " + i).start(() -> {
                running.countDown();
                // A virtual thread that neither blocks nor yields keeps its carrier.
                while (!busy.isReleased) {
                    Thread.onSpinWait();
                }
            });
        }
        try {
            running.await();
            return busy;
        } catch (InterruptedException e) {
            busy.close();
            throw e;
        }
    }

    @Override
    public void close() {
        isReleased = true;
    }
}
