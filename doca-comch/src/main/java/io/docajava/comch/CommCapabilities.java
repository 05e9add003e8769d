/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.DocaException;
import io.docajava.comch.internal.EndpointObject;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.internal.device.DeviceImpl;
import java.util.Objects;

/**
 * Capabilities of a device for comm channels. A limit that the device does not report is 0.
 *
 * @param server whether a {@link CommServer} can use the device ({@code doca_comch_cap_server_is_supported})
 * @param client whether a {@link CommClient} can use the device ({@code doca_comch_cap_client_is_supported})
 * @param maxMessageSize the length of the longest message in bytes ({@code doca_comch_cap_get_max_msg_size})
 * @param maxReceiveQueueSize the number of messages that may wait on one side of a connection until progress delivers them ({@code
 *     doca_comch_cap_get_max_recv_queue_size})
 * @param maxSends the number of sends that a server or client may have in flight ({@code doca_comch_cap_get_max_send_tasks})
 * @param maxNameLength the length of the longest name of a server in bytes of UTF-8, without the terminator of C ({@code
 *     doca_comch_cap_get_max_name_len})
 * @param maxClients the number of clients that may be connected to a server at the same time ({@code
 *     doca_comch_cap_get_max_clients})
 */
public record CommCapabilities(
        boolean server,
        boolean client,
        long maxMessageSize,
        long maxReceiveQueueSize,
        long maxSends,
        long maxNameLength,
        long maxClients) {

    /**
     * Returns the capabilities of a device. Any thread may call.
     *
     * @param device a listed device, which need not be open
     * @return the capabilities; none if the device has been removed
     * @throws DocaException if the SDK cannot read them
     */
    public static CommCapabilities of(DeviceInfo device) {
        Objects.requireNonNull(device, "device");
        return DeviceImpl.ask(device, info -> EndpointObject.capabilities(info, device.displayName()))
                .orElseGet(() -> new CommCapabilities(false, false, 0, 0, 0, 0, 0));
    }
}
