/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.comch.internal.CommServerImpl;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceRepresentor;

/**
 * The DPU's end of a comm channel ({@code struct doca_comch_server}). Clients on the host connect to the server by its name,
 * through the PCI function whose representor the server uses. The server has a {@link CommConnection} for each client.
 *
 * {@snippet :
 * CommServer server = CommServer.builder(device, representor, "service")
 *         .start(engine, (connection, message) -> connection.send(message.bytes(), sendHandler));
 * }
 */
public sealed interface CommServer extends CommEndpoint permits CommServerImpl {

    /**
     * Returns a builder, which configures a server and starts it.
     *
     * @param device on the DPU, which cannot be closed before the server
     * @param representor of the host's PCI function that clients use, opened on {@code device}; it cannot be closed before the
     *     server
     * @param name by which clients find the server, 1 to {@link CommCapabilities#maxNameLength()} bytes in UTF-8, without NUL
     * @return a builder; its {@code start} checks the name, the device and the representor
     */
    static CommServerBuilder builder(Device device, DeviceRepresentor representor, String name) {
        return CommServerImpl.builder(device, representor, name);
    }

    /** {@return the representor of the host's PCI function, which cannot be closed before this server} Any thread may call. */
    DeviceRepresentor representor();
}
