/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.DocaException;
import io.docajava.core.DocaError;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.internal.Handles;
import io.docajava.core.internal.call.Calls;
import io.docajava.ffi.generated.comch.DocaComch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.function.ToIntBiFunction;

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
        return Handles.ask(device, info -> read(info, device.displayName()))
                .orElseGet(() -> new CommCapabilities(false, false, 0, 0, 0, 0, 0));
    }

    /** Reads the capabilities of a native {@code doca_devinfo}. */
    static CommCapabilities read(MemorySegment info, String name) {
        String attempt = "asking for the comm channel capabilities of " + name;
        return new CommCapabilities(
                isOffered(
                        DocaComch.doca_comch_cap_server_is_supported(info),
                        "doca_comch_cap_server_is_supported",
                        attempt),
                isOffered(
                        DocaComch.doca_comch_cap_client_is_supported(info),
                        "doca_comch_cap_client_is_supported",
                        attempt),
                limit(DocaComch::doca_comch_cap_get_max_msg_size, info, "doca_comch_cap_get_max_msg_size", attempt),
                limit(
                        DocaComch::doca_comch_cap_get_max_recv_queue_size,
                        info,
                        "doca_comch_cap_get_max_recv_queue_size",
                        attempt),
                limit(DocaComch::doca_comch_cap_get_max_send_tasks, info, "doca_comch_cap_get_max_send_tasks", attempt),
                Math.max(
                        limit(
                                        DocaComch::doca_comch_cap_get_max_name_len,
                                        info,
                                        "doca_comch_cap_get_max_name_len",
                                        attempt)
                                - 1,
                        0),
                limit(DocaComch::doca_comch_cap_get_max_clients, info, "doca_comch_cap_get_max_clients", attempt));
    }

    private static long limit(
            ToIntBiFunction<MemorySegment, MemorySegment> query, MemorySegment info, String function, String attempt) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.JAVA_INT);
            return isOffered(query.applyAsInt(info, out), function, attempt)
                    ? Integer.toUnsignedLong(out.get(ValueLayout.JAVA_INT, 0))
                    : 0;
        }
    }

    private static boolean isOffered(int result, String function, String attempt) {
        if (result == DocaError.NOT_SUPPORTED.code()) {
            return false;
        }
        Calls.check(result, function, attempt);
        return true;
    }
}
