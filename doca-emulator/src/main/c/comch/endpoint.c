/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "comch/connection.h"
#include "comch/endpoint.h"
#include "comch/task_send.h"
#include "common/clock.h"
#include "common/device.h"
#include "common/pe_timer.h"
#include "common/sdk_log.h"

/*
 * Life
 */

void
comch_endpoint_init(struct endpoint *endpoint, const struct ctx_ops *ctx_ops, const struct endpoint_ops *ops,
                    struct doca_dev *dev, const char *name) {
    ctx_init(&endpoint->ctx, ctx_ops);
    endpoint->ops = ops;
    endpoint->dev = dev;
    memcpy(endpoint->name, name, strnlen(name, sizeof(endpoint->name) - 1));
    endpoint->max_msg_size = DEFAULT_MAX_MSG_SIZE;
    endpoint->recv_queue_size = DEFAULT_RECV_QUEUE_SIZE;
    endpoint->deadline = NO_DEADLINE;
    TAILQ_INIT(&endpoint->connections);
    TAILQ_INIT(&endpoint->ready);
    TAILQ_INIT(&endpoint->ended);
    device_hold(dev);
}

doca_error_t
comch_endpoint_fini(struct endpoint *endpoint) {
    const doca_error_t result = ctx_fini(&endpoint->ctx);
    if (result == DOCA_SUCCESS) {
        task_pool_destroy(&endpoint->pool);
        device_release(endpoint->dev);
    }
    return result;
}

static uint64_t
hash(uint64_t value, const char *text) {
    for (const char *c = text; *c != '\0'; c++) {
        value = (value ^ (uint8_t)*c) * UINT64_C(0x100000001b3);
    }
    return value;
}

/* Server names may have any characters. If two names are equal here, the exact name in the greeting decides. */
void
comch_endpoint_make_socket_name(const struct endpoint *endpoint, char name[LOCAL_SOCKET_NAME_SIZE]) {
    const uint64_t function = hash(UINT64_C(0xcbf29ce484222325), endpoint->vuid);
    snprintf(name, LOCAL_SOCKET_NAME_SIZE, "comch-%016llx-%016llx", (unsigned long long)function,
             (unsigned long long)hash(function, endpoint->name));
}

/*
 * Sizes
 */

uint32_t
comch_endpoint_msg_size(const struct endpoint *endpoint) {
    return endpoint->max_msg_size < MIN_MAX_MSG_SIZE ? MIN_MAX_MSG_SIZE : endpoint->max_msg_size;
}

uint32_t
comch_endpoint_longest_msg(const struct endpoint *endpoint) {
    uint32_t longest = MIN_MAX_MSG_SIZE;
    while (longest < endpoint->max_msg_size) {
        longest *= 2;
    }
    return longest;
}

/*
 * Configuration
 */

doca_error_t
comch_endpoint_check_conf(const struct endpoint *endpoint, bool has_null, const char *what) {
    if (has_null) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "%s %p: Failed to %s: a callback is NULL", endpoint->ctx.ops->name,
                          endpoint, what);
    }
    if (endpoint->ctx.state != DOCA_CTX_STATE_IDLE) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "%s %p: Failed to %s: is %s and not idle", endpoint->ctx.ops->name,
                          endpoint, what, ctx_state_name(&endpoint->ctx));
    }
    return DOCA_SUCCESS;
}

static doca_error_t
set_size(struct endpoint *endpoint, uint32_t *property, uint32_t size, uint32_t max_size, const char *what) {
    const doca_error_t result = comch_endpoint_check_conf(endpoint, false, what);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (size == 0 || size > max_size) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "%s %p: Failed to %s: %u, must be 1 to %u",
                          endpoint->ctx.ops->name, endpoint, what, size, max_size);
    }
    *property = size;
    return DOCA_SUCCESS;
}

doca_error_t
comch_endpoint_set_max_msg_size(struct endpoint *endpoint, uint32_t size) {
    return set_size(endpoint, &endpoint->max_msg_size, size, MAX_MSG_SIZE, "set the maximum message size");
}

doca_error_t
comch_endpoint_set_recv_queue_size(struct endpoint *endpoint, uint32_t size) {
    return set_size(endpoint, &endpoint->recv_queue_size, size, MAX_RECV_QUEUE_SIZE, "set the receive queue size");
}

doca_error_t
comch_endpoint_set_received(struct endpoint *endpoint, doca_comch_event_msg_recv_cb_t received) {
    const doca_error_t result = comch_endpoint_check_conf(endpoint, received == NULL, "register for messages");
    if (result == DOCA_SUCCESS) {
        endpoint->received = received;
    }
    return result;
}

/*
 * Start and stop
 */

doca_error_t
comch_endpoint_open(struct endpoint *endpoint) {
    if (endpoint->received == NULL) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "%s %p: Failed to start: is not registered for messages",
                          endpoint->ctx.ops->name, endpoint);
    }
    if (endpoint->pool.num_tasks == 0) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "%s %p: Failed to start: has no send tasks", endpoint->ctx.ops->name,
                          endpoint);
    }
    if (endpoint->name[0] == '\0') {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "%s %p: Failed to start: the name is empty", endpoint->ctx.ops->name,
                          endpoint);
    }
    const doca_error_t result = waker_start(&endpoint->waker, &endpoint->ctx);
    endpoint->open = result == DOCA_SUCCESS;
    return result;
}

/* Acknowledges received messages, and sends waiting ones, as far as there is room. */
void
comch_endpoint_close(struct endpoint *endpoint) {
    struct doca_comch_connection *connection;
    if (!endpoint->open) {
        return;
    }
    while ((connection = TAILQ_FIRST(&endpoint->ended)) != NULL) {
        TAILQ_REMOVE(&endpoint->ended, connection, report);
        connection->is_to_be_reported = false;
    }
    TAILQ_FOREACH(connection, &endpoint->connections, link) {
        if (connection->state == CONNECTION_ESTABLISHED && !waker_is_inherited(&endpoint->waker)) {
            (void)comch_connection_acknowledge(connection);
            comch_connection_finish(connection);
        }
        comch_connection_end(connection, DOCA_ERROR_BAD_STATE);
    }
    waker_stop(&endpoint->waker);
    endpoint->deadline = NO_DEADLINE;
    endpoint->open = false;
}

void
comch_endpoint_release(struct doca_ctx *ctx) {
    struct endpoint *endpoint = as_endpoint(ctx);
    struct doca_comch_connection *connection;
    comch_endpoint_close(endpoint);
    while ((connection = TAILQ_FIRST(&endpoint->connections)) != NULL) {
        comch_connection_destroy(connection);
    }
}

/* Progress: first completed sends, then received messages, then the end of the connection. */

static bool
deliver(struct endpoint *endpoint) {
    if (endpoint->sender == NULL) {
        return false;
    }
    comch_connection_deliver(endpoint->sender);
    return true;
}

static bool
report_end(struct endpoint *endpoint) {
    struct doca_comch_connection *connection = TAILQ_FIRST(&endpoint->ended);
    if (connection == NULL) {
        return false;
    }
    TAILQ_REMOVE(&endpoint->ended, connection, report);
    connection->is_to_be_reported = false;
    endpoint->ops->lose(connection);
    return true;
}

static bool
is_late(const struct endpoint *endpoint) {
    return endpoint->deadline != NO_DEADLINE && endpoint->deadline <= clock_now();
}

static bool
is_silent(const struct doca_comch_connection *connection) {
    char byte;
    return recv(connection->fd, &byte, sizeof(byte), MSG_PEEK | MSG_DONTWAIT) <= 0;
}

/*
 * Ends connections whose other side has sent nothing. A program that did not progress for long has not read what the
 * other side has sent, and does so now. Connections established since then have no deadline.
 */
static bool
expire(struct endpoint *endpoint) {
    struct doca_comch_connection *connection;
    bool found = false;
    if (!is_late(endpoint)) {
        return false;
    }
    const uint64_t now = endpoint->deadline;
    endpoint->deadline = NO_DEADLINE;
    TAILQ_FOREACH(connection, &endpoint->connections, link) {
        if (connection->state != CONNECTION_GREETING) {
            continue;
        }
        if (connection->deadline <= now && is_silent(connection)) {
            SDK_LOG_ERR("%s %p: Connection %p: the other side has said nothing for %d s", endpoint->ctx.ops->name,
                        endpoint, connection, INTRODUCTION_TIMEOUT_S);
            comch_connection_lose(connection, "the other side has not introduced itself");
            found = true;
            continue;
        }
        if (connection->deadline <= now) {
            connection->deadline = clock_now() + INTRODUCTION_TIMEOUT_S * NS_PER_S;
        }
        if (connection->deadline < endpoint->deadline) {
            endpoint->deadline = connection->deadline;
        }
    }
    return found;
}

static bool
look_at_sockets(struct endpoint *endpoint) {
    struct epoll_event event;
    if (!endpoint->open || !waker_look(&endpoint->waker, &event)) {
        return false;
    }
    struct doca_comch_connection *connection = event.data.ptr;
    if (connection == NULL) {
        return endpoint->ops->accept(endpoint);
    }
    return ((event.events & EPOLLOUT) != 0 && comch_connection_flush(connection)) ||
           comch_connection_receive(connection);
}

bool
comch_endpoint_progress(struct doca_ctx *ctx) {
    struct endpoint *endpoint = as_endpoint(ctx);
    /* Not only when there is nothing else to do, because a busy endpoint always has something else. */
    const bool has_expired = expire(endpoint);
    return comch_task_send_report(endpoint) || deliver(endpoint) || report_end(endpoint) || look_at_sockets(endpoint) ||
           has_expired;
}

bool
comch_endpoint_has_events(const struct doca_ctx *ctx) {
    return ((const struct endpoint *)ctx)->open;
}

bool
comch_endpoint_has_work(struct doca_ctx *ctx) {
    struct endpoint *endpoint = as_endpoint(ctx);
    if (endpoint->deadline != NO_DEADLINE) {
        pe_timer_set(ctx->queue, endpoint->deadline);
    }
    return is_late(endpoint) || !TAILQ_EMPTY(&endpoint->ready) || endpoint->sender != NULL ||
           !TAILQ_EMPTY(&endpoint->ended) ||
           (endpoint->open && !waker_sleep(&endpoint->waker));
}

/* Does nothing, because messages are sent when they are submitted. */
void
comch_endpoint_flush(struct doca_ctx *ctx) {
    (void)ctx;
}
