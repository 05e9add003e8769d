/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.rdma;

import io.docajava.rdma.RdmaTaskType;

/** Prepared tasks, of type {@link RdmaTaskType#SEND}. */
public class SendWindow extends RdmaTaskWindow {

    /** Made by JMH. */
    public SendWindow() {
        super(RdmaTaskType.SEND);
    }
}
