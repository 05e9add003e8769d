/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.core.context.Context;
import io.docajava.core.context.ContextListener;
import io.docajava.core.context.ContextState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the states of an RDMA context, in the words of the samples in C. */
final class StateLog implements ContextListener {

    private static final Logger LOG = LoggerFactory.getLogger(StateLog.class);

    @Override
    public void stateChanged(Context context, ContextState previous, ContextState next) {
        switch (next) {
            case STARTING -> LOG.info("RDMA context entered starting state");
            case RUNNING -> LOG.info("RDMA context is running");
            case STOPPING -> LOG.info("RDMA context entered into stopping state. Any inflight tasks will be flushed");
            case IDLE -> LOG.info("RDMA context has been stopped");
        }
    }
}
