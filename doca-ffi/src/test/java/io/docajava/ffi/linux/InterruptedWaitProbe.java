/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.linux;

import io.docajava.ffi.testing.Command;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Waits while another process stops and continues this JVM, which ends the system call of the wait. */
final class InterruptedWaitProbe {

    /** Continues the process only after it has stopped: a signal to continue that comes earlier would be lost. */
    private static final String STOP_AND_CONTINUE =
            "kill -STOP $PPID; until grep -q '^State:.T' /proc/$PPID/status; do :; done; kill -CONT $PPID";

    private InterruptedWaitProbe() {}

    public static void main(String[] arguments) {
        long time = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[0]));
        try (Epoll epoll = Epoll.open()) {
            CompletableFuture<Boolean> fullTime = CompletableFuture.supplyAsync(() -> {
                long start = System.nanoTime();
                return epoll.await(time) == 0 && System.nanoTime() - start >= time;
            });
            while (!epoll.isWaiting()) {
                Thread.onSpinWait();
            }
            Command.output(List.of("sh", "-c", STOP_AND_CONTINUE));
            System.out.println(fullTime.join() ? "waited to the end" : "ended early");
        }
    }
}
