/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.comch.internal.AbstractEndpoint;
import io.docajava.core.context.Context;
import java.util.List;

/**
 * One end of a comm channel: a {@link CommServer} or a {@link CommClient}.
 *
 * <p>An endpoint belongs to the thread of its engine, as {@link Context} describes. If it is on a loop, any thread may call the
 * methods that this interface adds.
 *
 * <p>Progress delivers messages to the {@link MessageHandler} that the endpoint was started with, and changes of connections to
 * {@link CommConnectionListener}s. A failed send does not stop the endpoint. According to NVIDIA, comm channels of newer releases
 * do not wake threads that sleep until the engine has an event: use a polling idle strategy there. The emulator supports all idle
 * strategies.
 */
public sealed interface CommEndpoint extends Context permits CommServer, CommClient, AbstractEndpoint {

    /** {@return the name of the server, on both sides} Any thread may call. */
    String name();

    /** {@return the capabilities of the device, read when this endpoint was created} Any thread may call. */
    CommCapabilities capabilities();

    /** {@return the limits of this endpoint, which may be lower than those of the device} Any thread may call. */
    CommLimits limits();

    /**
     * Returns the open connections, according to the events delivered so far.
     *
     * @return an unmodifiable copy in the order in which the connections began; a client has at most one
     * @throws IllegalStateException if this endpoint is closed
     */
    List<CommConnection> connections();

    /**
     * Adds a listener. Listeners are called in the order in which they were added.
     *
     * @param listener to be called by the engine's thread until it is removed; if it was added before, nothing changes
     * @throws IllegalStateException if this endpoint is closed
     */
    void addConnectionListener(CommConnectionListener listener);

    /**
     * Removes a listener. If the notification of an event is under way, the listener may still be called for that event.
     *
     * @param listener that was added; nothing changes if it was not
     * @throws IllegalStateException if this endpoint is closed
     */
    void removeConnectionListener(CommConnectionListener listener);

    /** Stops this endpoint as {@link Context#stop()} does, and ends all its connections. */
    @Override
    void stop();
}
