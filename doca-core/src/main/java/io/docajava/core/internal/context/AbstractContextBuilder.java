/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.context;

import io.docajava.DocaException;
import io.docajava.core.context.Context;
import io.docajava.core.context.ContextBuilder;
import io.docajava.core.context.ContextListener;
import io.docajava.core.device.Device;
import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.core.internal.engine.Deadlines;
import io.docajava.core.internal.engine.EngineImpl;
import io.docajava.core.internal.engine.EngineLoop;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The base class of all context builders. It keeps the device, the close timeout and the listeners, and starts the
 * context.
 *
 * @param <B> the type of the builder itself
 */
public abstract class AbstractContextBuilder<B extends ContextBuilder<B>> implements ContextBuilder<B> {

    private final Device device;
    private Duration closeTimeout = Duration.ofSeconds(10);
    private final CopyOnWriteArrayList<ContextListener> listeners = new CopyOnWriteArrayList<>();

    /**
     * Creates a builder.
     *
     * @param device of the context
     */
    protected AbstractContextBuilder(Device device) {
        this.device = Objects.requireNonNull(device, "device");
    }

    /** {@return this builder} */
    @SuppressWarnings("unchecked") // each subclass is its own B
    protected final B self() {
        return (B) this;
    }

    /** {@return the device of the context} */
    protected final Device device() {
        return device;
    }

    /** {@return the close timeout} */
    protected final Duration closeTimeout() {
        return closeTimeout;
    }

    @Override
    public final B closeTimeout(Duration timeout) {
        Objects.requireNonNull(timeout, "timeout");
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("The close timeout must not be negative: " + timeout);
        }
        closeTimeout = timeout;
        return self();
    }

    @Override
    public final B listener(ContextListener listener) {
        listeners.addIfAbsent(Objects.requireNonNull(listener, "listener"));
        return self();
    }

    /**
     * Creates the context and starts it. The device cannot be closed meanwhile.
     *
     * @param <C> the type of the context
     * @param engine that progresses the context
     * @param use names the creation in messages: {@code "a DMA context being created"}
     * @param creation creates the context, and does not start it
     * @return the context
     * @throws IllegalStateException if the device or the engine is closed, or another thread than the engine's calls
     * @throws DocaException if the SDK refuses
     */
    protected final <C extends AbstractContext> C start(ProgressEngine engine, String use, Supplier<C> creation) {
        EngineImpl.of(engine).checkUsable();
        C context = DeviceImpl.resource(device).keepOpen(use, creation);
        // Without a second check of the stack, and without user code such as equals() of a listener: nothing would
        // destroy the context if that failed.
        context.life().setListeners(listeners);
        context.connectAndStart();
        return context;
    }

    /**
     * Starts the context on the thread of a loop, and waits until it has started.
     *
     * @param <C> the type of the context
     * @param start starts the context on an engine
     * @throws IllegalStateException if the thread of another loop calls
     * @throws DocaException if the thread of the loop is busy for longer than the close timeout; the context is not started later
     * @throws RuntimeException that {@code start} throws
     */
    protected final <C extends Context> C startOn(ProgressLoop loop, Function<ProgressEngine, C> start) {
        Objects.requireNonNull(loop, "loop");
        if (Thread.currentThread().equals(loop.thread())) {
            return start.apply(loop.engine());
        }
        return new LoopStart<>(() -> start.apply(loop.engine()))
                .await(
                        (EngineLoop) loop.thread(),
                        "A context on " + device.info().displayName() + " cannot be started",
                        Deadlines.nanos(closeTimeout));
    }

    /** Returns the type of the builder and the name of the device. */
    @Override
    public final String toString() {
        return getClass().getSimpleName().replace("Impl", "") + " on "
                + device.info().displayName();
    }
}
