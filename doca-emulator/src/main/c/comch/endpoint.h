/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The base of servers and clients: a context with connections and tasks that send messages. doca_pe_progress() polls the
 * sockets of the connections.
 */
#ifndef DOCA_EMULATOR_COMCH_ENDPOINT_H_
#define DOCA_EMULATOR_COMCH_ENDPOINT_H_

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include <doca_comch.h>
#include <doca_dev.h>

#include "comch/message.h"
#include "common/ctx.h"
#include "common/local_socket.h"
#include "common/task.h"
#include "common/waker.h"

/* The limits of a BlueField-3. */
#define MAX_NUM_CLIENTS 512
#define MAX_RECV_QUEUE_SIZE 8192
#define MAX_NUM_SEND_TASKS 8192
#define DEFAULT_RECV_QUEUE_SIZE 128
/* A smaller largest message counts as this one; the property keeps its value. */
#define MIN_MAX_MSG_SIZE 256

/* The time in which the other side of a connection must send its greeting. */
#define INTRODUCTION_TIMEOUT_S 10
#define NO_DEADLINE UINT64_MAX

struct endpoint;

/* Events of these types have no properties. */
struct doca_comch_event_msg_recv {
    struct endpoint *endpoint;
};

struct doca_comch_event_connection_status_changed {
    struct endpoint *endpoint;
};

TAILQ_HEAD(connection_list, doca_comch_connection);

struct endpoint_ops {
    /* Accepts the next connection to the listening socket. Returns false if there is none. */
    bool (*accept)(struct endpoint *endpoint);
    /* Handles the first message of a connection that is not established: endpoint->message, of this size. */
    void (*shake_hands)(struct doca_comch_connection *connection, size_t size);
    /* A connection has ended, and all its tasks have been reported. */
    void (*lose)(struct doca_comch_connection *connection);
};

struct endpoint {
    struct doca_ctx ctx;
    const struct endpoint_ops *ops;
    struct doca_dev *dev;
    /* The function of the host, and the name of the server. */
    char vuid[DOCA_DEVINFO_VUID_SIZE];
    char name[MAX_NAME_LEN];
    uint32_t max_msg_size;
    uint32_t recv_queue_size;
    doca_comch_task_send_completion_cb_t completed;
    doca_comch_task_send_completion_cb_t failed;
    doca_comch_event_msg_recv_cb_t received;
    struct task_pool pool;
    /* True between start and stop, while the waker runs. */
    bool open;
    struct waker waker;
    struct connection_list connections;
    uint64_t last_connection_id;
    /* The next time to check for connections without a greeting of the other side, or NO_DEADLINE. */
    uint64_t deadline;
    /* Completed sends and ended connections that the program has not been notified of. */
    struct task_list ready;
    struct connection_list ended;
    /* The last message and the connection that received it. The data remain here until the program has them. */
    union message message;
    size_t message_size;
    struct doca_comch_connection *sender;
    /* The connection whose data a callback is handling; NULL if the connection ends during the callback. */
    struct doca_comch_connection *receiver;
};

static inline struct endpoint *
as_endpoint(struct doca_ctx *ctx) {
    return (struct endpoint *)ctx;
}

/* Initialises a zeroed object and holds the device. Truncates a name that is too long. */
void comch_endpoint_init(struct endpoint *endpoint, const struct ctx_ops *ctx_ops, const struct endpoint_ops *ops,
                         struct doca_dev *dev, const char *name);

/* Returns IN_USE if it is not idle. */
doca_error_t comch_endpoint_fini(struct endpoint *endpoint);

/* Makes the name of the socket on which the server listens. */
void comch_endpoint_make_socket_name(const struct endpoint *endpoint, char name[LOCAL_SOCKET_NAME_SIZE]);

/* Returns the largest message that the endpoint tells the other side, which must have the same. */
uint32_t comch_endpoint_msg_size(const struct endpoint *endpoint);

/* Returns the length of the longest message that can be sent and received: a power of two. */
uint32_t comch_endpoint_longest_msg(const struct endpoint *endpoint);

/*
 * Opens it to connections. Returns BAD_STATE if callbacks are missing or send tasks are not configured, INVALID_VALUE if the
 * name is empty.
 */
doca_error_t comch_endpoint_open(struct endpoint *endpoint);

/* Ends all connections, and the other sides notice it. The program keeps their handles. */
void comch_endpoint_close(struct endpoint *endpoint);

/* The other operations of the context. */
void comch_endpoint_release(struct doca_ctx *ctx);
bool comch_endpoint_progress(struct doca_ctx *ctx);
bool comch_endpoint_has_events(const struct doca_ctx *ctx);
bool comch_endpoint_has_work(struct doca_ctx *ctx);
void comch_endpoint_flush(struct doca_ctx *ctx);

/* The API functions that servers and clients share. */
doca_error_t comch_endpoint_set_max_msg_size(struct endpoint *endpoint, uint32_t size);
doca_error_t comch_endpoint_set_recv_queue_size(struct endpoint *endpoint, uint32_t size);
doca_error_t comch_endpoint_set_received(struct endpoint *endpoint, doca_comch_event_msg_recv_cb_t received);

/* Checks a configuration call: INVALID_VALUE for a NULL argument, BAD_STATE if the endpoint is not idle. */
doca_error_t comch_endpoint_check_conf(const struct endpoint *endpoint, bool has_null, const char *what);

#endif /* DOCA_EMULATOR_COMCH_ENDPOINT_H_ */
