/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.pe;

import io.docajava.core.context.Context;
import io.docajava.core.context.ContextListener;
import io.docajava.core.context.ContextState;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the states of a context. */
final class StateLog implements ContextListener {

    private static final Logger LOG = LoggerFactory.getLogger(StateLog.class);

    @Override
    public void stateChanged(Context context, ContextState previous, ContextState next) {
        LOG.info("CTX {} state changed from {} to {}", context, name(previous), name(next));
    }

    private static String name(ContextState state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
