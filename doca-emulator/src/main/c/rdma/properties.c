/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of an RDMA context that can be set before it starts. */
#include "common/property.h"
#include "common/sdk_log.h"
#include "common/settings.h"
#include "rdma/rdma.h"

#define MAX_SERVICE_LEVEL 15
/* So many messages at least can complete while a slow one is being written. */
#define MIN_RECEIVE_RING_SIZE 256
/* Known to releases after 2.5. */
#define PERMISSION_OF_RELAXED_ORDERING (1U << 6)
#define KNOWN_PERMISSIONS \
    ((uint32_t)(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE | \
                DOCA_ACCESS_FLAG_RDMA_ATOMIC))

void
rdma_properties_init(struct rdma_properties *properties) {
    *properties = (struct rdma_properties){
            .send_queue_size = 128,
            .recv_queue_size = 128,
            .max_send_buf_list_len = 1,
            .recv_buf_list_len = 3,
            .permissions = 0,
            .transport_type = DOCA_RDMA_TRANSPORT_TYPE_RC,
            .mtu = DOCA_MTU_SIZE_1K_BYTES,
            .connection_request_timeout = 5000,
            .max_num_connections = 1,
            .grh_enabled = 1,
            .rnr_retry_count = 6,
    };
}

/* A size or length of 0 is accepted, and means 1. */
static uint32_t
at_least_one(uint32_t number) {
    return number == 0 ? 1 : number;
}

uint32_t
rdma_send_queue_room(const struct doca_rdma *rdma) {
    return at_least_one(rdma->properties.send_queue_size);
}

uint32_t
rdma_send_list_limit(const struct doca_rdma *rdma) {
    const uint32_t limit = at_least_one(rdma->properties.max_send_buf_list_len);
    const uint32_t possible = rdma->capabilities->max_send_buf_list_len;
    return emulator_settings()->strict || possible < limit ? limit : possible;
}

uint32_t
rdma_receive_list_limit(const struct doca_rdma *rdma) {
    return at_least_one(rdma->properties.recv_buf_list_len);
}

/* Returns the limit: without a queue size, there is room for all tasks. */
uint32_t
rdma_receive_limit(const struct doca_rdma *rdma) {
    return at_least_one(emulator_release_is_at_most(EMULATOR_RELEASE_2_5) ? rdma->properties.recv_queue_size
                                                                          : rdma->confs[RDMA_TASK_RECEIVE].pool.num_tasks);
}

/* Sizes of queues are powers of two. */
static uint32_t
round_up(uint32_t number) {
    uint32_t power = 1;
    while (power < number) {
        power *= 2;
    }
    return power;
}

uint32_t
rdma_receive_ring_size(const struct doca_rdma *rdma) {
    const uint32_t size = round_up(rdma_receive_limit(rdma));
    return size > MIN_RECEIVE_RING_SIZE ? size : MIN_RECEIVE_RING_SIZE;
}

static doca_error_t
check_settable(const struct doca_rdma *rdma, const char *what) {
    if (rdma->ctx.state != DOCA_CTX_STATE_IDLE) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "RDMA %p: Failed to set %s: is %s and not idle", rdma, what,
                          ctx_state_name(&rdma->ctx));
    }
    return DOCA_SUCCESS;
}

static doca_error_t
check_range(const struct doca_rdma *rdma, const char *what, uint32_t value, uint32_t min, uint32_t max) {
    const doca_error_t result = check_settable(rdma, what);
    if (result == DOCA_SUCCESS && (value < min || value > max)) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "RDMA %p: Invalid input: %s %u, must be %u to %u", rdma, what,
                          value, min, max);
    }
    return result;
}

/* Checks properties that the device limits: 0 is accepted and has no effect. */
static doca_error_t
check_supported(const struct doca_rdma *rdma, const char *what, uint32_t value, uint32_t max) {
    const doca_error_t result = check_settable(rdma, what);
    if (result == DOCA_SUCCESS && value > max) {
        return SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED, "RDMA %p: Failed to set %s: %u is more than the device has, %u",
                          rdma, what, value, max);
    }
    return result;
}

/* The complete body of a function that sets a number, after the check of that number. */
#define SET_CHECKED(rdma, member, value, check) \
    do { \
        if (!IS_LIVE(rdma_class, (rdma))) { \
            return DOCA_ERROR_INVALID_VALUE; \
        } \
        const doca_error_t set_result = (check); \
        if (set_result == DOCA_SUCCESS) { \
            (rdma)->properties.member = (value); \
        } \
        return set_result; \
    } while (0)

#define SET_NUMBER(rdma, member, value, min, max) \
    SET_CHECKED(rdma, member, value, check_range((rdma), #member, (value), (min), (max)))

#define SET_SUPPORTED(rdma, member, value, max) \
    SET_CHECKED(rdma, member, value, check_supported((rdma), #member, (value), (max)))

/*
 * Queues
 */

doca_error_t
doca_rdma_set_send_queue_size(struct doca_rdma *rdma, uint32_t send_queue_size) {
    if (!IS_LIVE(rdma_class, rdma)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result =
            check_supported(rdma, "send_queue_size", send_queue_size, rdma->capabilities->max_send_queue_size);
    if (result == DOCA_SUCCESS) {
        rdma->properties.send_queue_size = send_queue_size == 0 ? 0 : round_up(send_queue_size);
    }
    return result;
}

/* From 3.0 on this is a property only of contexts whose data path is not the CPU. */
doca_error_t
doca_rdma_set_recv_queue_size(struct doca_rdma *rdma, uint32_t recv_queue_size) {
    if (!IS_LIVE(rdma_class, rdma)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result =
            check_supported(rdma, "recv_queue_size", recv_queue_size, rdma->capabilities->max_recv_queue_size);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (!emulator_release_is_at_most(EMULATOR_RELEASE_2_5)) {
        return SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED,
                          "RDMA %p: Failed to set recv_queue_size: the data path is that of the CPU", rdma);
    }
    rdma->properties.recv_queue_size = recv_queue_size == 0 ? 0 : round_up(recv_queue_size);
    return DOCA_SUCCESS;
}

doca_error_t
doca_rdma_get_recv_queue_size(const struct doca_rdma *rdma, uint32_t *recv_queue_size) {
    if (IS_LIVE(rdma_class, rdma) && !emulator_release_is_at_most(EMULATOR_RELEASE_2_5)) {
        return SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED,
                          "RDMA %p: Failed to get recv_queue_size: the data path is that of the CPU", (const void *)rdma);
    }
    return GET_PROPERTY(rdma_class, rdma, rdma->properties.recv_queue_size, recv_queue_size);
}

doca_error_t
doca_rdma_set_max_send_buf_list_len(struct doca_rdma *rdma, uint32_t max_send_buf_list_len) {
    SET_SUPPORTED(rdma, max_send_buf_list_len, max_send_buf_list_len, rdma->capabilities->max_send_buf_list_len);
}

/* Release 2.5 rounds up to one less than a power of two. */
static uint32_t
receive_list_len(uint32_t len) {
    const bool rounds =
            emulator_release_is_at_most(EMULATOR_RELEASE_2_5) && !emulator_release_is_at_most(EMULATOR_RELEASE_2_2);
    return rounds && len > 0 && len < UINT32_MAX / 2 ? round_up(len + 1) - 1 : len;
}

/* Releases after 2.5 round up to a power of two at the start. */
static void
round_receive_list_len(struct doca_rdma *rdma) {
    if (!emulator_release_is_at_most(EMULATOR_RELEASE_2_5) && rdma->properties.recv_buf_list_len > 0) {
        rdma->properties.recv_buf_list_len = round_up(rdma->properties.recv_buf_list_len);
    }
}

/* A unit of a send queue. Each entry has as many as it needs for a list of the largest length. */
#define SEND_UNIT 64
#define SEND_ENTRY_HEAD 48
#define SEND_ENTRY_BUFFER 16

static doca_error_t
check_send_queue(const struct doca_rdma *rdma) {
    const struct rdma_properties *properties = &rdma->properties;
    const uint64_t entry = SEND_ENTRY_HEAD + (uint64_t)SEND_ENTRY_BUFFER * properties->max_send_buf_list_len;
    const uint64_t units = (entry + SEND_UNIT - 1) / SEND_UNIT * properties->send_queue_size;
    if (emulator_release_is_at_most(EMULATOR_RELEASE_2_5) || units <= rdma->capabilities->max_send_queue_size) {
        return DOCA_SUCCESS;
    }
    return SDK_REFUSE(units > UINT16_MAX ? DOCA_ERROR_INVALID_VALUE : DOCA_ERROR_BAD_CONFIG,
                      "RDMA %p: Failed to start: a send queue of %u entries for lists of %u needs %llu units, and has %u",
                      rdma, properties->send_queue_size, properties->max_send_buf_list_len, (unsigned long long)units,
                      rdma->capabilities->max_send_queue_size);
}

doca_error_t
rdma_properties_prepare(struct doca_rdma *rdma) {
    const doca_error_t result = check_send_queue(rdma);
    if (result == DOCA_SUCCESS) {
        round_receive_list_len(rdma);
    }
    return result;
}

doca_error_t
doca_rdma_task_receive_set_dst_buf_list_len(struct doca_rdma *rdma, uint32_t buf_list_len) {
    SET_SUPPORTED(rdma, recv_buf_list_len, receive_list_len(buf_list_len), rdma->capabilities->max_recv_buf_list_len);
}

/*
 * Transport
 */

doca_error_t
doca_rdma_set_transport_type(struct doca_rdma *rdma, enum doca_rdma_transport_type transport_type) {
    if (!IS_LIVE(rdma_class, rdma)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = check_range(rdma, "transport_type", transport_type, DOCA_RDMA_TRANSPORT_TYPE_RC,
                                            DOCA_RDMA_TRANSPORT_TYPE_DC);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (transport_type == DOCA_RDMA_TRANSPORT_TYPE_DC) {
        return SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED, "RDMA %p: Failed to set transport_type: DC is not emulated", rdma);
    }
    rdma->properties.transport_type = transport_type;
    return DOCA_SUCCESS;
}

static doca_error_t
check_mtu(const struct doca_rdma *rdma, enum doca_mtu_size mtu) {
    const doca_error_t result =
            check_range(rdma, "mtu", mtu, DOCA_MTU_SIZE_256_BYTES, DOCA_MTU_SIZE_RAW_ETHERNET);
    return result == DOCA_SUCCESS ? check_supported(rdma, "mtu", mtu, rdma->capabilities->active_mtu) : result;
}

doca_error_t
doca_rdma_set_mtu(struct doca_rdma *rdma, enum doca_mtu_size mtu) {
    if (!IS_LIVE(rdma_class, rdma)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = check_mtu(rdma, mtu);
    if (result == DOCA_SUCCESS) {
        rdma->properties.mtu = mtu;
        rdma->properties.has_own_mtu = true;
    }
    return result;
}

doca_error_t
doca_rdma_set_permissions(struct doca_rdma *rdma, uint32_t permissions) {
    if (!IS_LIVE(rdma_class, rdma)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const uint32_t known =
            KNOWN_PERMISSIONS | (emulator_release_is_at_most(EMULATOR_RELEASE_2_5) ? 0 : PERMISSION_OF_RELAXED_ORDERING);
    const doca_error_t result = check_settable(rdma, "permissions");
    if (result == DOCA_SUCCESS && (permissions & ~known) != 0) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "RDMA %p: Invalid input: permissions %#x", rdma, permissions);
    }
    if (result == DOCA_SUCCESS) {
        rdma->properties.permissions = permissions;
    }
    return result;
}

static doca_error_t
check_grh(const struct doca_rdma *rdma, uint8_t grh_enabled) {
    const doca_error_t result = check_settable(rdma, "grh_enabled");
    if (result == DOCA_SUCCESS && grh_enabled == 0 && rdma->capabilities->needs_grh) {
        return SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED, "RDMA %p: Failed to set grh_enabled: Ethernet needs a GRH", rdma);
    }
    return result;
}

doca_error_t
doca_rdma_set_grh_enabled(struct doca_rdma *rdma, uint8_t grh_enabled) {
    SET_CHECKED(rdma, grh_enabled, grh_enabled, check_grh(rdma, grh_enabled));
}

/* As on hardware, an empty entry of the table is not detected here. */
doca_error_t
doca_rdma_set_gid_index(struct doca_rdma *rdma, uint32_t gid_index) {
    SET_NUMBER(rdma, gid_index, gid_index, 0, RDMA_GID_TABLE_SIZE - 1);
}

doca_error_t
doca_rdma_set_sl(struct doca_rdma *rdma, uint32_t sl) {
    SET_SUPPORTED(rdma, sl, sl, MAX_SERVICE_LEVEL);
}

/*
 * Connections
 */

doca_error_t
doca_rdma_set_connection_request_timeout(struct doca_rdma *rdma, uint16_t timeout) {
    SET_CHECKED(rdma, connection_request_timeout, timeout, check_settable(rdma, "connection_request_timeout"));
}

static doca_error_t
check_max_num_connections(const struct doca_rdma *rdma, uint16_t max_num_connections) {
    const doca_error_t result = check_settable(rdma, "max_num_connections");
    if (result == DOCA_SUCCESS && max_num_connections == 0) {
        return SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED, "RDMA %p: Failed to set max_num_connections: must not be 0", rdma);
    }
    return result;
}

doca_error_t
doca_rdma_set_max_num_connections(struct doca_rdma *rdma, uint16_t max_num_connections) {
    SET_CHECKED(rdma, max_num_connections, max_num_connections, check_max_num_connections(rdma, max_num_connections));
}

doca_error_t
doca_rdma_set_rnr_retry_count(struct doca_rdma *rdma, uint8_t rnr_retry_count) {
    SET_CHECKED(rdma, rnr_retry_count, rnr_retry_count, check_settable(rdma, "rnr_retry_count"));
}

#include <getters/rdma.h>
