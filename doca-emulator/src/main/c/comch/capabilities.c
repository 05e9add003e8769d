/* SPDX-License-Identifier: Apache-2.0 */
/* Capabilities of devices: DPU devices with representors support servers, host devices support clients. */
#include <doca_comch.h>
#include <doca_dev.h>

#include "comch/endpoint.h"
#include "common/sdk_log.h"
#include "common/settings.h"

doca_error_t
doca_comch_cap_server_is_supported(const struct doca_devinfo *devinfo) {
    uint8_t has_representors = 0;
    const doca_error_t result = doca_devinfo_rep_cap_is_filter_net_supported(devinfo, &has_representors);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    return has_representors != 0 ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t
doca_comch_cap_client_is_supported(const struct doca_devinfo *devinfo) {
    uint8_t has_representors = 0;
    const doca_error_t result = doca_devinfo_rep_cap_is_filter_net_supported(devinfo, &has_representors);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    return emulator_settings()->role == EMULATOR_ROLE_HOST ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED;
}

/* Stores a limit of a device that supports servers or clients. */
static doca_error_t
store_limit(const struct doca_devinfo *devinfo, uint32_t limit, uint32_t *out) {
    doca_error_t result = doca_comch_cap_client_is_supported(devinfo);
    if (result == DOCA_ERROR_NOT_SUPPORTED) {
        result = doca_comch_cap_server_is_supported(devinfo);
    }
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (out == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: there is no place for the capability");
    }
    *out = limit;
    return DOCA_SUCCESS;
}

doca_error_t
doca_comch_cap_get_max_name_len(const struct doca_devinfo *devinfo, uint32_t *max_name_len) {
    return store_limit(devinfo, MAX_NAME_LEN, max_name_len);
}

doca_error_t
doca_comch_cap_get_max_msg_size(const struct doca_devinfo *devinfo, uint32_t *size) {
    return store_limit(devinfo, MAX_MSG_SIZE, size);
}

doca_error_t
doca_comch_cap_get_max_recv_queue_size(const struct doca_devinfo *devinfo, uint32_t *size) {
    return store_limit(devinfo, MAX_RECV_QUEUE_SIZE, size);
}

doca_error_t
doca_comch_cap_get_max_send_tasks(const struct doca_devinfo *devinfo, uint32_t *max_send_tasks) {
    return store_limit(devinfo, MAX_NUM_SEND_TASKS, max_send_tasks);
}

doca_error_t
doca_comch_cap_get_max_clients(const struct doca_devinfo *devinfo, uint32_t *num_clients) {
    return store_limit(devinfo, MAX_NUM_CLIENTS, num_clients);
}
