/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import io.docajava.core.context.Context;
import io.docajava.core.context.ContextListener;
import io.docajava.core.context.ContextState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the states of a DMA context, in the words of the samples in C. */
final class StateLog implements ContextListener {

    private static final Logger LOG = LoggerFactory.getLogger(StateLog.class);

    @Override
    public void stateChanged(Context context, ContextState previous, ContextState next) {
        if (next == ContextState.RUNNING) {
            LOG.info("DMA context is running");
        } else if (next == ContextState.STOPPING) {
            LOG.info("DMA context entered into stopping state. Any inflight tasks will be flushed");
        } else if (next == ContextState.IDLE) {
            LOG.info("DMA context has been stopped");
        }
    }
}
