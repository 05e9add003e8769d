/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.rdma;

import io.docajava.rdma.RdmaTaskType;

/** Operations with a callback, of type {@link RdmaTaskType#WRITE}. */
public class WriteCallbackWindow extends RdmaCallbackWindow {

    /** Made by JMH. */
    public WriteCallbackWindow() {
        super(RdmaTaskType.WRITE);
    }
}
