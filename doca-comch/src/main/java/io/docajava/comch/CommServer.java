/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.DocaException;
import io.docajava.core.context.ContextState;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceRepresentor;
import io.docajava.core.internal.device.RepresentorImpl;

/**
 * The DPU's end of a comm channel ({@code struct doca_comch_server}). Clients on the host connect to the server by its name,
 * through the PCI function whose representor the server uses. The server has a {@link CommConnection} for each client.
 *
 * {@snippet :
 * CommServer server = CommServer.builder(device, representor, "service")
 *         .start(engine, (connection, message) -> connection.send(message.bytes(), sendHandler));
 * }
 */
public final class CommServer extends CommEndpoint {

    private final DeviceRepresentor representor;

    CommServer(Parts parts, DeviceRepresentor representor) {
        super(parts, RepresentorImpl.resource(representor));
        this.representor = representor;
    }

    /**
     * Returns a builder, which configures a server and starts it.
     *
     * @param device on the DPU, which cannot be closed before the server
     * @param representor of the host's PCI function that clients use, opened on {@code device}; it cannot be closed before the
     *     server
     * @param name by which clients find the server, 1 to {@link CommCapabilities#maxNameLength()} bytes in UTF-8, without NUL
     * @return a builder; its {@code start} checks the name, the device and the representor
     */
    public static CommServerBuilder builder(Device device, DeviceRepresentor representor, String name) {
        return new CommServerBuilder(device, representor, name);
    }

    /** {@return the representor of the host's PCI function, which cannot be closed before this server} Any thread may call. */
    public DeviceRepresentor representor() {
        return representor;
    }

    @Override
    void disconnect(CommConnection connection) {
        core().checkRunningNow();
        connection.checkUsable();
        object().disconnect(connection);
        allConnections().endDisconnected(connection);
        core().engine().delivery().runPending();
    }

    @Override
    CommConnection beginByMessage(long pointer, CommMessage message) {
        throw new DocaException(
                message + " came to the " + this + " by an unknown connection (0x" + Long.toHexString(pointer) + ")");
    }

    @Override
    void stateChanged(ContextState next) {
        if (next == ContextState.IDLE) {
            allConnections().endAll();
        }
    }
}
