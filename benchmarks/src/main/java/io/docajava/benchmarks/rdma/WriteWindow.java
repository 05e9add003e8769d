/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.rdma;

import io.docajava.rdma.RdmaTaskType;

/** Prepared tasks, of type {@link RdmaTaskType#WRITE}. */
public class WriteWindow extends RdmaTaskWindow {

    /** Made by JMH. */
    public WriteWindow() {
        super(RdmaTaskType.WRITE);
    }
}
