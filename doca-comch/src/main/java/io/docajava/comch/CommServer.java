/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.DocaException;
import io.docajava.core.context.Context;
import io.docajava.core.context.ContextState;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceRepresentor;
import io.docajava.core.progress.ProgressEngine;

/**
 * The end of a comm channel on the DPU, {@code struct doca_comch_server}, which clients on the host connect to by its name: by the
 * function of the host whose representor it is made for. It has a {@link CommConnection} for each client.
 *
 * {@snippet :
 * CommServer server = CommServer.builder(device, representor, "service")
 *         .start(engine, (connection, message) -> connection.send(message.bytes(), sendHandler));
 * }
 */
public final class CommServer extends CommEndpoint {

    private final DeviceRepresentor representor;
    private final ServerObject object;

    CommServer(Parts parts, ServerObject object, DeviceRepresentor representor, ProgressEngine engine) {
        super(parts, engine);
        this.object = object;
        this.representor = representor;
    }

    /**
     * Configures a server.
     *
     * @param device on the DPU
     * @param representor of the host's function that clients use, of the same open device
     * @param name by which clients find it, from 1 byte in UTF-8 to {@link CommCapabilities#maxNameLength()}, without NUL
     */
    public static CommServerBuilder builder(Device device, DeviceRepresentor representor, String name) {
        return new CommServerBuilder(device, representor, name);
    }

    /** The representor of the host's function. */
    public DeviceRepresentor representor() {
        return representor;
    }

    @Override
    void disconnect(CommConnection connection) {
        core().checkRunningNow();
        connection.checkUsable();
        connection.setLeaving(true);
        try {
            object.disconnect(connection);
        } catch (Throwable failure) {
            connection.setLeaving(false);
            throw failure;
        }
        allConnections().left(connection);
        core().engine().deliverPending();
    }

    @Override
    CommConnection beginBy(long pointer, CommMessage message) {
        throw new DocaException(
                message + " came to the " + this + " by an unknown connection (0x" + Long.toHexString(pointer) + ")");
    }

    /** Ends connections when the context's state changes. */
    @SuppressWarnings("unused") // the signature is that of listeners
    void stateChanged(Context changed, ContextState previous, ContextState next) {
        if (next == ContextState.IDLE) {
            allConnections().endAll(core().isStopRequested() ? DisconnectReason.STOPPED : DisconnectReason.PEER);
        }
    }
}
