/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.DocaException;
import io.docajava.comch.internal.CommClientImpl;
import io.docajava.core.ConnectionEndedException;
import io.docajava.core.context.ContextState;
import io.docajava.core.device.Device;
import io.docajava.core.progress.Completion;

/**
 * The host's end of a comm channel ({@code struct doca_comch_client}). A client has one connection, to the server that has its
 * name.
 *
 * {@snippet :
 * CommClient client = CommClient.builder(device, "service").start(engine, (connection, message) -> use(message));
 * CommConnection connection = client.whenConnected().await();
 * connection.send(bytes).await();
 * }
 *
 * <p>A client is {@link ContextState#STARTING} until the server has answered. It becomes {@link ContextState#IDLE} if the server
 * refuses it, and when either side ends the connection. {@link #restart()} connects it again.
 *
 * <p>There are two ways of a refusal, and a program must expect both. If the device finds no server of the name, the start throws
 * a {@link DocaException} with {@code CONNECTION_ABORTED}. If the server is there and refuses the client, for example because
 * its {@link CommEndpointBuilder#maxMessageSize(int) maxMessageSize} is another one, {@link #whenConnected()} fails with the same
 * error.
 */
public sealed interface CommClient extends CommEndpoint permits CommClientImpl {

    /**
     * Returns a builder, which configures a client and starts it.
     *
     * @param device the host's PCI function whose representor the server uses; it cannot be closed before the client
     * @param name of the server, 1 to {@link CommCapabilities#maxNameLength()} bytes in UTF-8, without NUL
     * @return a builder; its {@code start} checks the name and the device
     */
    static CommClientBuilder builder(Device device, String name) {
        return CommClientImpl.builder(device, name);
    }

    /**
     * Returns a future of the client's connection. Each restart of the client makes a new connection.
     *
     * @return a future that completes with the connection when the server has answered. It fails with a {@link DocaException} if
     *     the client could not connect, or with a {@link ConnectionEndedException} if the client was stopped before it was
     *     connected, or if the connection has ended
     * @throws IllegalStateException if the client is closed
     */
    Completion<CommConnection> whenConnected();

    /**
     * Connects a stopped client again, as {@link io.docajava.core.context.Context#restart()} does.
     *
     * @throws DocaException if the SDK cannot start the client, for example because there is no server; {@link #whenConnected()} then
     *     fails with this exception
     */
    @Override
    void restart();
}
