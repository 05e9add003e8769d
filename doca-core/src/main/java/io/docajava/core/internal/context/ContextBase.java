/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.context;

import io.docajava.core.context.Context;
import io.docajava.core.context.ContextListener;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.ContextStats;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.progress.ProgressEngine;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The base class of all contexts. It delegates every method of {@link Context} to a {@link ContextCore}. */
public abstract class ContextBase implements Context {

    private final Device device;
    private final ProgressEngine engine;
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

    @Override
    public final Device device() {
        return device;
    }

    @Override
    public final ProgressEngine engine() {
        return engine;
    }

    @Override
    public final ContextState state() {
        return core().life().state();
    }

    @Override
    public final Optional<TaskFailedException> failure() {
        return Optional.ofNullable(core().life().cause().rootCause());
    }

    @Override
    public final ContextStats stats() {
        return core().stats();
    }

    @Override
    public final int inFlight() {
        return core().inFlight();
    }

    @Override
    public final void addListener(ContextListener listener) {
        Objects.requireNonNull(listener, "listener");
        core().checkUsable();
        core().life().addListener(listener);
    }

    @Override
    public final void removeListener(ContextListener listener) {
        Objects.requireNonNull(listener, "listener");
        core().checkUsable();
        core().life().removeListener(listener);
    }

    @Override
    public void stop() {
        core().stop();
    }

    @Override
    public final void drain(Duration timeout) throws TimeoutException, InterruptedException {
        core().drain(Objects.requireNonNull(timeout, "timeout"));
    }

    @Override
    public void restart() {
        core().restart();
    }

    @Override
    public final void close() {
        core().close();
    }

    @Override
    public final String toString() {
        return core().description();
    }
}
