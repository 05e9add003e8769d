/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.core.device.Device;
import io.docajava.core.internal.Handles;
import io.docajava.core.internal.call.Calls;
import io.docajava.ffi.comch.ComchCallbacks;
import io.docajava.ffi.generated.comch.DocaComch;
import java.lang.foreign.MemorySegment;

/** A {@code struct doca_comch_client}. */
final class ClientObject extends EndpointObject {

    /** Creates the object ({@code doca_comch_client_create}). */
    ClientObject(Device device, String name, String description) {
        super(description);
        create(
                name,
                nativeName -> DocaComch.doca_comch_client_create(
                        MemorySegment.ofAddress(Handles.address(device)), nativeName, out()));
    }

    @Override
    String prefix() {
        return "doca_comch_client";
    }

    @Override
    int setMaxMessageSize(int bytes) {
        return DocaComch.doca_comch_client_set_max_msg_size(pointer(), bytes);
    }

    @Override
    int setReceiveQueueSize(int messages) {
        return DocaComch.doca_comch_client_set_recv_queue_size(pointer(), messages);
    }

    @Override
    int getMaxMessageSize() {
        return DocaComch.doca_comch_client_get_max_msg_size(pointer(), out());
    }

    @Override
    int getReceiveQueueSize() {
        return DocaComch.doca_comch_client_get_recv_queue_size(pointer(), out());
    }

    @Override
    int configureSends(MemorySegment succeeded, MemorySegment failed, int tasks) {
        return DocaComch.doca_comch_client_task_send_set_conf(pointer(), succeeded, failed, tasks);
    }

    @Override
    int registerMessages(MemorySegment received) {
        return DocaComch.doca_comch_client_event_msg_recv_register(pointer(), received);
    }

    @Override
    int allocateSend(long connection, MemorySegment message, int length) {
        return DocaComch.doca_comch_client_task_send_alloc_init(
                pointer(), MemorySegment.ofAddress(connection), message, length, out());
    }

    /** Registers nothing: the SDK reports the connection of a client by the state of the context. */
    @Override
    void registerMore(ComchCallbacks newCallbacks) {}

    /** Returns the {@code struct doca_comch_connection *} to the server; 0 if it has ended. */
    long connection() {
        int result = DocaComch.doca_comch_client_get_connection(pointer(), out());
        Calls.settle();
        return result == 0 ? out().get(JAVA_LONG, 0) : 0;
    }

    /** {@return false, because the start completes only when the server's process answers} */
    @Override
    public boolean isStartAwaited() {
        return false;
    }

    @Override
    public long context() {
        return DocaComch.doca_comch_client_as_ctx(pointer()).address();
    }

    @Override
    int destroyNative() {
        return DocaComch.doca_comch_client_destroy(pointer());
    }
}
