/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.context;

import io.docajava.core.context.Context;
import io.docajava.core.device.Device;
import io.docajava.core.progress.ProgressEngine;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The base class of all contexts. The methods of {@link Context} find the {@link ContextCore} here. */
public abstract class ContextBase implements Context {

    final Device device;
    final ProgressEngine engine;
    private @Nullable ContextCore core;

    /** Creates a context without its core. */
    protected ContextBase(Device device, ProgressEngine engine) {
        this.device = device;
        this.engine = engine;
    }

    /** Sets the core. The constructor of the subclass calls it once. */
    protected final void setCore(ContextCore newCore) {
        core = newCore;
    }

    final ContextCore core() {
        return Objects.requireNonNull(core);
    }

    /** Returns the text of {@link #toString()}, which the subclass has to declare. */
    protected final String description() {
        return core().description();
    }
}
