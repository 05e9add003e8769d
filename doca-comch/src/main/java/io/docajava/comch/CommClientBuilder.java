/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.DocaException;
import io.docajava.core.device.Device;
import io.docajava.core.progress.ProgressEngine;
import java.util.List;
import java.util.Objects;

/** Configures a {@link CommClient}. */
public final class CommClientBuilder extends CommEndpointBuilder<CommClientBuilder> {

    CommClientBuilder(Device device, String name) {
        super(device, name);
    }

    /**
     * Creates the client and begins to start it ({@code doca_comch_client_create}, its setters, {@code doca_pe_connect_ctx},
     * {@code doca_ctx_start}). It is connected when {@link CommClient#connected()} says so.
     *
     * @param engine what is to drive it, called by its thread
     * @param messages gets the messages of the server
     * @throws IllegalArgumentException if the device can have no client, or offers less than was asked for; or if the name is none
     *     that a server can have
     * @throws IllegalStateException if the device or the engine is closed, or if called by another thread
     * @throws DocaException if the SDK cannot start the client
     */
    public CommClient start(ProgressEngine engine, MessageHandler messages) {
        Objects.requireNonNull(engine, "engine");
        return start(engine, messages, List.of(), parts -> {
            CommClient client = new CommClient(parts, (ClientObject) parts.object(), engine);
            client.core().addListener(client::stateChanged);
            return client;
        });
    }

    @Override
    String kind() {
        return "client";
    }

    @Override
    void checkOffered(CommCapabilities capabilities) {
        if (!capabilities.client()) {
            throw notOffered("clients are on the host");
        }
    }

    @Override
    ClientObject createObject() {
        return new ClientObject(
                device(),
                name(),
                "CommClient of \"" + name() + "\" on " + device().info().displayName());
    }
}
