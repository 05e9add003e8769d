/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.rdma;

import io.docajava.rdma.RdmaTaskType;

/** Prepared tasks, of type {@link RdmaTaskType#READ}. */
public class ReadWindow extends RdmaTaskWindow {

    /** Made by JMH. */
    public ReadWindow() {
        super(RdmaTaskType.READ);
    }
}
