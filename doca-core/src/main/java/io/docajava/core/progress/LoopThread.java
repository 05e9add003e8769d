/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

/** The thread of a {@link ProgressLoop}, which must never wait for another loop. */
final class LoopThread extends Thread {

    LoopThread(Runnable life, String name, boolean daemon) {
        super(null, life, name);
        setDaemon(daemon);
    }
}
