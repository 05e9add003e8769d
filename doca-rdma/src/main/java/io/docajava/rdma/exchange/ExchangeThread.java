/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.exchange;

/**
 * Creates the threads of exchanges. They are platform threads: if virtual threads of the application occupy all carriers, a virtual
 * thread would neither read messages nor end an operation whose time has passed.
 */
final class ExchangeThread {

    private ExchangeThread() {}

    /** Starts a daemon thread, which does not keep the process from ending. */
    static void start(String name, Runnable task) {
        create(name, task).start();
    }

    /** Creates a daemon thread without starting it. */
    static Thread create(String name, Runnable task) {
        return Thread.ofPlatform()
                .daemon()
                .inheritInheritableThreadLocals(false)
                .name(name)
                .unstarted(task);
    }
}
