/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "comch/connection.h"
#include "comch/task_send.h"
#include "common/clock.h"
#include "common/local_socket.h"
#include "common/sdk_log.h"

static struct object_class connection_class = OBJECT_CLASS("comch connection", struct doca_comch_connection);

bool
comch_connection_is_live(const struct doca_comch_connection *connection) {
    return IS_LIVE(connection_class, connection);
}

/*
 * Life
 */

static bool
watch(struct doca_comch_connection *connection, int operation) {
    struct epoll_event event = {
        .events = connection->waits_for_room ? EPOLLIN | EPOLLOUT : EPOLLIN,
        .data.ptr = connection,
    };
    return epoll_ctl(connection->endpoint->waker.events, operation, connection->fd, &event) == 0;
}

/* Also handles connections that are no longer established. */
static void
wait_for_room(struct doca_comch_connection *connection, bool waits) {
    if (connection->waits_for_room != waits) {
        connection->waits_for_room = waits;
        (void)watch(connection, EPOLL_CTL_MOD);
    }
}

struct doca_comch_connection *
comch_connection_create(struct endpoint *endpoint, int fd) {
    struct doca_comch_connection *connection = object_create(&connection_class);
    if (connection != NULL) {
        connection->endpoint = endpoint;
        connection->id = ++endpoint->last_connection_id;
        connection->fd = fd;
        connection->deadline = clock_now() + INTRODUCTION_TIMEOUT_S * NS_PER_S;
        if (connection->deadline < endpoint->deadline) {
            endpoint->deadline = connection->deadline;
        }
        TAILQ_INIT(&connection->waiting);
        TAILQ_INSERT_TAIL(&endpoint->connections, connection, link);
        if (fd < 0 || watch(connection, EPOLL_CTL_ADD)) {
            return connection;
        }
        comch_connection_destroy(connection);
    } else if (fd >= 0) {
        local_socket_disconnect(fd);
    }
    return NULL;
}

static void
close_socket(struct doca_comch_connection *connection) {
    if (connection->fd < 0) {
        return;
    }
    if (!waker_is_inherited(&connection->endpoint->waker)) {
        (void)epoll_ctl(connection->endpoint->waker.events, EPOLL_CTL_DEL, connection->fd, NULL);
        (void)shutdown(connection->fd, SHUT_RDWR);
    }
    local_socket_disconnect(connection->fd);
    connection->fd = -1;
}

/* Takes the first waiting send, and returns it, or NULL if there is none. */
static struct doca_comch_task_send *
take_waiting(struct doca_comch_connection *connection) {
    struct doca_task *task = TAILQ_FIRST(&connection->waiting);
    if (task == NULL) {
        return NULL;
    }
    TAILQ_REMOVE(&connection->waiting, task, link);
    connection->num_waiting--;
    return as_send(task);
}

void
comch_connection_end(struct doca_comch_connection *connection, doca_error_t error) {
    struct endpoint *endpoint = connection->endpoint;
    close_socket(connection);
    connection->state = CONNECTION_ENDED;
    if (endpoint->sender == connection) {
        endpoint->sender = NULL;
    }
    if (endpoint->receiver == connection) {
        endpoint->receiver = NULL;
    }
    struct doca_comch_task_send *task;
    while ((task = take_waiting(connection)) != NULL) {
        comch_task_send_finish(task, error);
    }
}

void
comch_connection_lose(struct doca_comch_connection *connection, const char *reason) {
    struct endpoint *endpoint = connection->endpoint;
    SDK_LOG_INFO("%s %p: Connection %p has ended: %s", endpoint->ctx.ops->name, endpoint, connection, reason);
    comch_connection_end(connection, DOCA_ERROR_CONNECTION_ABORTED);
    TAILQ_INSERT_TAIL(&endpoint->ended, connection, report);
    connection->is_to_be_reported = true;
    pe_signal(endpoint->ctx.queue);
}

void
comch_connection_destroy(struct doca_comch_connection *connection) {
    struct endpoint *endpoint = connection->endpoint;
    comch_connection_end(connection, DOCA_ERROR_BAD_STATE);
    if (connection->is_to_be_reported) {
        TAILQ_REMOVE(&endpoint->ended, connection, report);
    }
    TAILQ_REMOVE(&endpoint->connections, connection, link);
    object_destroy(&connection_class, connection);
}

/*
 * Handshakes
 */

bool
comch_connection_introduce(const struct doca_comch_connection *connection, enum message_kind kind) {
    const struct endpoint *endpoint = connection->endpoint;
    struct greeting greeting = {
        .header = {.magic = MESSAGE_MAGIC, .kind = kind},
        .max_msg_size = comch_endpoint_msg_size(endpoint),
        .recv_queue_size = endpoint->recv_queue_size,
    };
    memcpy(greeting.vuid, endpoint->vuid, sizeof(greeting.vuid));
    memcpy(greeting.name, endpoint->name, sizeof(greeting.name));
    return local_socket_send(connection->fd, &greeting, sizeof(greeting));
}

void
comch_connection_refuse(const struct doca_comch_connection *connection) {
    const struct message_header refusal = {.magic = MESSAGE_MAGIC, .kind = MESSAGE_REFUSAL};
    (void)local_socket_send(connection->fd, &refusal, sizeof(refusal));
}

bool
comch_connection_is_introduction(const struct doca_comch_connection *connection, enum message_kind kind, size_t size) {
    const struct endpoint *endpoint = connection->endpoint;
    const struct greeting *greeting = &endpoint->message.greeting;
    if (size != sizeof(*greeting) || greeting->header.kind != kind || greeting->recv_queue_size == 0 ||
        memcmp(greeting->vuid, endpoint->vuid, sizeof(endpoint->vuid)) != 0 ||
        memcmp(greeting->name, endpoint->name, sizeof(endpoint->name)) != 0) {
        return false;
    }
    if (greeting->max_msg_size != comch_endpoint_msg_size(endpoint)) {
        SDK_LOG_ERR("%s %p: Refused a connection: the largest message of the other side is %u bytes, and of this side %u",
                    endpoint->ctx.ops->name, endpoint, greeting->max_msg_size, comch_endpoint_msg_size(endpoint));
        return false;
    }
    return true;
}

void
comch_connection_establish(struct doca_comch_connection *connection) {
    const struct greeting *greeting = &connection->endpoint->message.greeting;
    connection->recv_queue_size = greeting->recv_queue_size;
    connection->state = CONNECTION_ESTABLISHED;
    connection->was_established = true;
}

/*
 * Sending
 */

static struct message_header
make_header(const struct doca_comch_connection *connection, enum message_kind kind) {
    return (struct message_header){
        .magic = MESSAGE_MAGIC,
        .kind = kind,
        .num_received = connection->counters.received_messages,
    };
}

/* When the program sends or disconnects in its callback, it has received the callback's message. */
static void
count_received(struct doca_comch_connection *connection) {
    if (connection->is_in_callback) {
        connection->is_in_callback = false;
        connection->counters.received_messages++;
        connection->counters.received_bytes += connection->endpoint->message_size;
    }
}

bool
comch_connection_acknowledge(struct doca_comch_connection *connection) {
    count_received(connection);
    const struct message_header acknowledgement = make_header(connection, MESSAGE_ACKNOWLEDGEMENT);
    if (connection->num_notified == acknowledgement.num_received) {
        return true;
    }
    if (!local_socket_send(connection->fd, &acknowledgement, sizeof(acknowledgement))) {
        return false;
    }
    connection->num_notified = acknowledgement.num_received;
    return true;
}

/* Returns the number of messages in the receive queue of the other side: their callbacks have not returned. */
static uint64_t
num_queued(const struct doca_comch_connection *connection) {
    return connection->counters.sent_messages - connection->num_acknowledged;
}

/* Completes the send when the message is in the receive queue of the other side. Returns false if there is no room. */
static bool
try_to_send(struct doca_comch_connection *connection, struct doca_comch_task_send *task, const void *bytes) {
    struct data data;
    if (num_queued(connection) >= connection->recv_queue_size) {
        return false;
    }
    count_received(connection);
    data.header = make_header(connection, MESSAGE_DATA);
    memcpy(data.bytes, bytes, task->len);
    if (!local_socket_send(connection->fd, &data, sizeof(data.header) + task->len)) {
        /* The socket is full earlier than the queue if messages are long. */
        wait_for_room(connection, true);
        return false;
    }
    connection->num_notified = data.header.num_received;
    connection->counters.sent_messages++;
    connection->counters.sent_bytes += task->len;
    return true;
}

static doca_error_t
keep(struct doca_comch_connection *connection, struct doca_comch_task_send *task) {
    task->copy = malloc(task->len);
    if (task->copy == NULL) {
        return SDK_REFUSE(DOCA_ERROR_NO_MEMORY, "Task %p: No memory for %u bytes", task, task->len);
    }
    memcpy(task->copy, task->message, task->len);
    TAILQ_INSERT_TAIL(&connection->waiting, &task->base, link);
    connection->num_waiting++;
    return DOCA_SUCCESS;
}

doca_error_t
comch_connection_send(struct doca_comch_connection *connection, struct doca_comch_task_send *task) {
    if (connection->num_waiting >= connection->recv_queue_size) {
        return DOCA_ERROR_AGAIN;
    }
    if (connection->num_waiting > 0 || !try_to_send(connection, task, task->message)) {
        return keep(connection, task);
    }
    comch_task_send_finish(task, DOCA_SUCCESS);
    return DOCA_SUCCESS;
}

/* Sends waiting messages as far as there is room. Returns whether it has sent one. */
static bool
send_waiting(struct doca_comch_connection *connection) {
    bool has_sent = false;
    struct doca_task *first;
    while ((first = TAILQ_FIRST(&connection->waiting)) != NULL &&
           try_to_send(connection, as_send(first), as_send(first)->copy)) {
        comch_task_send_finish(take_waiting(connection), DOCA_SUCCESS);
        has_sent = true;
    }
    return has_sent;
}

bool
comch_connection_flush(struct doca_comch_connection *connection) {
    wait_for_room(connection, false);
    const bool has_sent = send_waiting(connection);
    if (connection->waits_for_room) {
        /* The other side may have closed its end, which receiving detects. */
        return has_sent;
    }
    if (!comch_connection_acknowledge(connection)) {
        wait_for_room(connection, true);
        return has_sent;
    }
    return true;
}

/*
 * Receiving
 */

/* Returns false if the other side acknowledges messages that were not sent. */
static bool
note_acknowledged(struct doca_comch_connection *connection, uint64_t num_received) {
    if (num_received < connection->num_acknowledged || num_received > connection->counters.sent_messages) {
        return false;
    }
    connection->num_acknowledged = num_received;
    return true;
}

/* Returns false if the message is invalid. */
static bool
take_message(struct doca_comch_connection *connection, size_t size) {
    struct endpoint *endpoint = connection->endpoint;
    const struct message_header *header = &endpoint->message.header;
    const size_t len = size - sizeof(*header);
    if (!note_acknowledged(connection, header->num_received)) {
        return false;
    }
    (void)send_waiting(connection);
    if (header->kind == MESSAGE_DATA && len > 0 && len <= comch_endpoint_longest_msg(endpoint)) {
        endpoint->message_size = len;
        endpoint->sender = connection;
        return true;
    }
    return header->kind == MESSAGE_ACKNOWLEDGEMENT && len == 0;
}

bool
comch_connection_receive(struct doca_comch_connection *connection) {
    union message *message = &connection->endpoint->message;
    const ssize_t size = local_socket_receive(connection->fd, message, sizeof(*message));
    if (size < 0) {
        return false;
    }
    if (size == 0) {
        comch_connection_lose(connection, "the other side has closed it");
    } else if ((size_t)size < sizeof(message->header) || message->header.magic != MESSAGE_MAGIC) {
        comch_connection_lose(connection, "the other side does not speak this language");
    } else if (connection->state == CONNECTION_GREETING) {
        connection->endpoint->ops->shake_hands(connection, (size_t)size);
    } else if (!take_message(connection, (size_t)size)) {
        comch_connection_lose(connection, "the other side has said something unexpected");
    }
    return true;
}

/*
 * Reads no more messages than the other side can have sent since this side has read the last one: data that fill the
 * receive queue, and one acknowledgement for each message in the other one's queue. Another side may send without end.
 */
static void
take_acknowledgements(struct doca_comch_connection *connection) {
    /* Copied, as a callback may be reading the endpoint's own message. */
    union message message;
    const uint64_t max_messages = connection->endpoint->recv_queue_size + num_queued(connection);
    for (uint64_t i = 0; i < max_messages; i++) {
        const ssize_t size = local_socket_receive(connection->fd, &message, sizeof(message));
        if (size < (ssize_t)sizeof(message.header) || message.header.magic != MESSAGE_MAGIC ||
            !note_acknowledged(connection, message.header.num_received)) {
            return;
        }
    }
}

void
comch_connection_finish(struct doca_comch_connection *connection) {
    take_acknowledgements(connection);
    (void)send_waiting(connection);
}

void
comch_connection_deliver(struct doca_comch_connection *connection) {
    struct endpoint *endpoint = connection->endpoint;
    struct doca_comch_event_msg_recv event = {.endpoint = endpoint};
    endpoint->sender = NULL;
    endpoint->receiver = connection;
    connection->is_in_callback = true;
    ctx_begin_event(&endpoint->ctx);
    endpoint->received(&event, endpoint->message.data.bytes, (uint32_t)endpoint->message_size, connection);
    ctx_end_event(&endpoint->ctx);
    if (endpoint->receiver != NULL && !comch_connection_acknowledge(connection)) {
        wait_for_room(connection, true);
    }
    endpoint->receiver = NULL;
}

/*
 * Functions of the SDK
 */

doca_error_t
doca_comch_connection_set_user_data(struct doca_comch_connection *connection, union doca_data user_data) {
    if (!IS_LIVE(connection_class, connection)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    connection->user_data = user_data;
    return DOCA_SUCCESS;
}

union doca_data
doca_comch_connection_get_user_data(const struct doca_comch_connection *connection) {
    return IS_LIVE(connection_class, connection) ? connection->user_data : (union doca_data){0};
}

doca_error_t
doca_comch_connection_update_info(struct doca_comch_connection *connection) {
    if (!IS_LIVE(connection_class, connection)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    switch (connection->state) {
    case CONNECTION_GREETING:
        return DOCA_ERROR_CONNECTION_INPROGRESS;
    case CONNECTION_ENDED:
        return DOCA_ERROR_CONNECTION_ABORTED;
    case CONNECTION_ESTABLISHED:
        break;
    }
    connection->shown = connection->counters;
    return DOCA_SUCCESS;
}

doca_error_t
doca_comch_connection_get_counter(const struct doca_comch_connection *connection, enum doca_comch_counter counter_type,
                                  uint64_t *counter_value) {
    if (!IS_LIVE(connection_class, connection)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (counter_value == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Connection %p: Invalid input: counter_value is NULL", connection);
    }
    switch (counter_type) {
    case DOCA_COMCH_COUNTER_SENT_MESSAGES:
        *counter_value = connection->shown.sent_messages;
        return DOCA_SUCCESS;
    case DOCA_COMCH_COUNTER_SENT_BYTES:
        *counter_value = connection->shown.sent_bytes;
        return DOCA_SUCCESS;
    case DOCA_COMCH_COUNTER_RECV_MESSAGES:
        *counter_value = connection->shown.received_messages;
        return DOCA_SUCCESS;
    case DOCA_COMCH_COUNTER_RECV_BYTES:
        *counter_value = connection->shown.received_bytes;
        return DOCA_SUCCESS;
    }
    return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Connection %p: Invalid input: counter %d", connection,
                      (int)counter_type);
}
