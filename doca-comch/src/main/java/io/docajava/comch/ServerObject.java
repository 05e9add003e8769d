/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceRepresentor;
import io.docajava.core.internal.Handles;
import io.docajava.ffi.comch.ComchCallbacks;
import io.docajava.ffi.generated.comch.DocaComch;
import java.lang.foreign.MemorySegment;

/** A {@code struct doca_comch_server}. */
final class ServerObject extends EndpointObject {

    /** Creates the object ({@code doca_comch_server_create}). */
    ServerObject(Device device, DeviceRepresentor representor, String name, String description) {
        super(description);
        create(
                name,
                nativeName -> DocaComch.doca_comch_server_create(
                        MemorySegment.ofAddress(Handles.address(device)),
                        MemorySegment.ofAddress(Handles.address(representor)),
                        nativeName,
                        out()));
    }

    @Override
    String prefix() {
        return "doca_comch_server";
    }

    @Override
    int setMaxMessageSize(int bytes) {
        return DocaComch.doca_comch_server_set_max_msg_size(pointer(), bytes);
    }

    @Override
    int setReceiveQueueSize(int messages) {
        return DocaComch.doca_comch_server_set_recv_queue_size(pointer(), messages);
    }

    @Override
    int getMaxMessageSize() {
        return DocaComch.doca_comch_server_get_max_msg_size(pointer(), out());
    }

    @Override
    int getReceiveQueueSize() {
        return DocaComch.doca_comch_server_get_recv_queue_size(pointer(), out());
    }

    @Override
    int configureSends(MemorySegment succeeded, MemorySegment failed, int tasks) {
        return DocaComch.doca_comch_server_task_send_set_conf(pointer(), succeeded, failed, tasks);
    }

    @Override
    int registerMessages(MemorySegment received) {
        return DocaComch.doca_comch_server_event_msg_recv_register(pointer(), received);
    }

    @Override
    int allocateSend(long connection, MemorySegment message, int length) {
        return DocaComch.doca_comch_server_task_send_alloc_init(
                pointer(), MemorySegment.ofAddress(connection), message, length, out());
    }

    @Override
    void registerMore(ComchCallbacks newCallbacks) {
        check(
                DocaComch.doca_comch_server_event_connection_status_changed_register(
                        pointer(), newCallbacks.connected(), newCallbacks.disconnected()),
                "_event_connection_status_changed_register",
                "setting the connection callbacks of the " + description());
    }

    /** Ends a connection ({@code doca_comch_server_disconnect}). */
    void disconnect(CommConnection connection) {
        check(
                DocaComch.doca_comch_server_disconnect(pointer(), MemorySegment.ofAddress(connection.pointer())),
                "_disconnect",
                "ending " + connection);
    }

    @Override
    public long context() {
        return DocaComch.doca_comch_server_as_ctx(pointer()).address();
    }

    @Override
    int destroyNative() {
        return DocaComch.doca_comch_server_destroy(pointer());
    }
}
