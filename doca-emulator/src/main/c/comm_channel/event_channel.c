/* SPDX-License-Identifier: Apache-2.0 */
#include "common/sdk_log.h"
#include "comm_channel/endpoint.h"

doca_error_t
event_channel_open(struct event_channel *channel, const struct core_pe *pe) {
    int error = event_handle_open(&channel->handle);
    if (error == 0) {
        error = event_handle_watch(&channel->handle, pe);
    }
    if (error == 0) {
        return DOCA_SUCCESS;
    }
    event_channel_close(channel);
    return SDK_REFUSE_SYSTEM_ERROR(error, "Failed to open an event channel");
}

void
event_channel_close(struct event_channel *channel) {
    event_handle_close(&channel->handle);
    channel->is_armed = false;
}

void
event_channel_notify(struct event_channel *channel) {
    if (channel->is_armed) {
        channel->is_armed = false;
        event_handle_signal(&channel->handle);
    }
}

void
event_channel_arm(struct event_channel *channel, struct core_pe *pe, bool is_ready) {
    event_handle_clear(&channel->handle);
    channel->is_armed = true;
    if (is_ready) {
        event_channel_notify(channel);
    }
    (void)core_pe_clear_notification(pe, 0);
    (void)core_pe_request_notification(pe);
}
