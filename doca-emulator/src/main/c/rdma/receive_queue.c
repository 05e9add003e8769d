/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/sdk_log.h"
#include "rdma/rdma.h"
#include "rdma/receive_queue.h"

/* The interval between two checks of peers that have taken a receive but not filled it. */
#define LOOK_INTERVAL_NS (UINT64_C(10) * 1000 * 1000)

static struct link_receive *
receive_at(const struct receive_queue *queue, uint32_t number) {
    return link_receive_at(queue->block, queue->header, number);
}

static uint64_t
word_at(const struct receive_queue *queue, uint32_t number) {
    return atomic_load(&receive_at(queue, number)->word);
}

static struct rdma_task **
task_at(const struct receive_queue *queue, uint32_t number) {
    return &queue->tasks[number & (queue->header->num_receives - 1)];
}

/*
 * The owner's side
 */

doca_error_t
rdma_receive_queue_create(struct receive_queue *queue, struct link *link, uint32_t limit) {
    struct rdma_task **tasks = calloc(link->header.num_receives, sizeof(*tasks));
    if (tasks == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    *queue = (struct receive_queue){.block = link->block, .header = &link->header, .tasks = tasks, .limit = limit};
    TAILQ_INIT(&queue->waiting);
    return DOCA_SUCCESS;
}

void
rdma_receive_queue_destroy(struct receive_queue *queue) {
    free(queue->tasks);
    *queue = (struct receive_queue){0};
}

/* Lets peers take it. */
static void
put_into_ring(struct receive_queue *queue, struct rdma_task *task) {
    const uint32_t number = queue->next;
    struct link_receive *receive = receive_at(queue, number);
    *task_at(queue, number) = task;
    for (uint32_t i = 0; i < task->local.count; i++) {
        receive->extents[i] = (struct link_extent){.addr = (uintptr_t)task->local.items[i].addr,
                                                   .len = task->local.items[i].len};
    }
    receive->num_extents = task->local.count;
    atomic_store(&receive->word, link_receive_word(number, LINK_RECEIVE_POSTED, 0));
    queue->next++;
}

/* Moves waiting receives into the ring. A receive that a peer fills slowly may still occupy the next entry. */
static void
fill_ring(struct receive_queue *queue) {
    while (!TAILQ_EMPTY(&queue->waiting) && *task_at(queue, queue->next) == NULL) {
        struct doca_task *first = TAILQ_FIRST(&queue->waiting);
        TAILQ_REMOVE(&queue->waiting, first, link);
        put_into_ring(queue, as_rdma_task(first));
    }
}

doca_error_t
rdma_receive_queue_reserve(struct receive_queue *queue, const struct rdma_task *task) {
    if (queue->num_posted >= queue->limit) {
        return SDK_REFUSE(DOCA_ERROR_AGAIN, "RDMA %p: Failed to submit: %u receives are posted", task->base.ctx,
                          queue->num_posted);
    }
    queue->num_posted++;
    return DOCA_SUCCESS;
}

void
rdma_receive_queue_return(struct receive_queue *queue) {
    queue->num_posted--;
}

void
rdma_receive_queue_post(struct receive_queue *queue, struct rdma_task *task) {
    TAILQ_INSERT_TAIL(&queue->waiting, &task->base, link);
    fill_ring(queue);
}

/*
 * Returns the first completed receive from the start and before the end; the end if there is none. A reported receive is
 * no longer in the ring, whatever a peer writes to it.
 */
static uint32_t
find_done(const struct receive_queue *queue, uint32_t from, uint32_t end) {
    for (uint32_t number = from; number != end; number++) {
        if (*task_at(queue, number) == NULL) {
            continue;
        }
        switch (link_receive_state(word_at(queue, number))) {
        case LINK_RECEIVE_POSTED:
            return end;
        case LINK_RECEIVE_DONE:
            return number;
        default:
            break;
        }
    }
    return end;
}

/*
 * A receive may complete after it was examined and belong to the same peer as a later one that was found. It must then be
 * reported first, because it completed first.
 */
static uint32_t
find_first_done(const struct receive_queue *queue) {
    uint32_t found = queue->next;
    uint32_t earlier = find_done(queue, queue->first, found);
    while (earlier != found) {
        found = earlier;
        earlier = find_done(queue, queue->first, found);
    }
    return found;
}

/* Returns whether the end of a peer does not affect the context, because the program is notified by other means. */
static bool
ends_alone(const struct doca_rdma_connection *connection) {
    return connection != NULL && connection->by_address;
}

/* A peer's message in a receive, read once because the peer may write anything at any time. */
struct message {
    struct received received;
    uint32_t connection_serial;
    uint32_t failure;
};

static struct message
read_message(const struct link_receive *receive) {
    const volatile struct link_receive *written = receive;
    return (struct message){.received = {.opcode = (enum doca_rdma_opcode)written->opcode,
                                         .immediate = written->immediate,
                                         .len = written->len},
                            .connection_serial = written->connection_serial,
                            .failure = written->failure};
}

static bool
is_whole(const struct message *message, const struct rdma_task *task) {
    const struct received *received = &message->received;
    switch (received->opcode) {
    case DOCA_RDMA_OPCODE_RECV_SEND:
    case DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM:
        return message->failure == LINK_RECEIVE_WHOLE && received->len <= task->local.len;
    case DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM:
        return message->failure == LINK_RECEIVE_WHOLE && received->len <= UINT32_MAX;
    }
    return false;
}

/* Removes it from the ring, with its message. */
static struct rdma_task *
remove_receive(struct receive_queue *queue, struct doca_rdma *rdma, uint32_t number) {
    struct link_receive *receive = receive_at(queue, number);
    struct rdma_task *task = *task_at(queue, number);
    const struct message message = read_message(receive);
    task->result_opcode = message.received.opcode;
    task->result_immediate = message.received.immediate;
    task->result_len = (uint32_t)message.received.len;
    task->result_connection = rdma_connection_find(rdma, message.connection_serial);
    if (task->result_connection != NULL) {
        task->result_connection->num_received++;
    }
    if (message.failure == LINK_RECEIVE_ABANDONED && ends_alone(task->result_connection)) {
        rdma_task_flush(task, DOCA_ERROR_CONNECTION_RESET);
    } else if (!is_whole(&message, task)) {
        rdma_task_fail(task, DOCA_ERROR_IO_FAILED, "the message was too long, or its sender has failed");
    }
    atomic_store(&receive->word, link_receive_word(number, LINK_RECEIVE_NONE, 0));
    *task_at(queue, number) = NULL;
    queue->num_posted--;
    while (queue->first != queue->next && *task_at(queue, queue->first) == NULL) {
        queue->first++;
    }
    fill_ring(queue);
    return task;
}

/*
 * Completes it instead of its taker, whose end was noticed after the word was read. Does nothing if the word has changed since: the
 * taker has completed it before its end.
 */
static void
fail_taken(struct receive_queue *queue, const struct doca_rdma_connection *taker, uint32_t number, uint64_t word) {
    struct link_receive *receive = receive_at(queue, number);
    if (word_at(queue, number) != word) {
        return;
    }
    receive->failure = LINK_RECEIVE_ABANDONED;
    receive->connection_serial = taker == NULL ? RDMA_NO_CONNECTION : taker->serial;
    receive->len = 0;
    atomic_compare_exchange_strong(&receive->word, &word,
                                   link_receive_word(number, LINK_RECEIVE_DONE, link_receive_slot(word)));
}

static bool
has_ended(const struct doca_rdma_connection *taker) {
    return taker == NULL || taker->remote == NULL || peer_has_ended(&taker->remote->header.node.place);
}

static void
fail_those_of_dead_takers(struct receive_queue *queue, struct doca_rdma *rdma) {
    for (uint32_t number = queue->first; number != queue->next; number++) {
        const uint64_t word = word_at(queue, number);
        if (link_receive_state(word) == LINK_RECEIVE_POSTED) {
            return;
        }
        const struct doca_rdma_connection *taker = rdma_connection_in_slot(rdma, link_receive_slot(word));
        if (link_receive_state(word) == LINK_RECEIVE_TAKEN && has_ended(taker)) {
            fail_taken(queue, taker, number, word);
        }
    }
}

static bool
first_is_taken(const struct receive_queue *queue) {
    return queue->first != queue->next && link_receive_state(word_at(queue, queue->first)) == LINK_RECEIVE_TAKEN;
}

/* The program is notified of a connection before it is notified of its messages. */
static bool
is_too_early(const struct receive_queue *queue, struct doca_rdma *rdma, uint32_t number) {
    const struct doca_rdma_connection *connection =
            rdma_connection_in_slot(rdma, link_receive_slot(word_at(queue, number)));
    return connection != NULL && rdma_cm_is_to_be_established(connection);
}

struct rdma_task *
rdma_receive_queue_next(struct receive_queue *queue, struct doca_rdma *rdma) {
    uint32_t found = find_first_done(queue);
    if (found == queue->next && first_is_taken(queue)) {
        const uint64_t now = clock_now();
        if (now - queue->takers_looked_at >= LOOK_INTERVAL_NS) {
            queue->takers_looked_at = now;
            fail_those_of_dead_takers(queue, rdma);
            found = find_first_done(queue);
        }
    }
    return found == queue->next || is_too_early(queue, rdma, found) ? NULL : remove_receive(queue, rdma, found);
}

bool
rdma_receive_queue_has_work(struct receive_queue *queue, uint64_t *look_again) {
    atomic_store(&queue->block->is_waiting, 1);
    if (find_first_done(queue) != queue->next) {
        return true;
    }
    if (first_is_taken(queue)) {
        *look_again = clock_now() + LOOK_INTERVAL_NS;
    }
    return false;
}

struct rdma_task *
rdma_receive_queue_drain(struct receive_queue *queue, struct doca_rdma *rdma) {
    const uint32_t number = queue->first;
    if (number == queue->next) {
        return NULL;
    }
    const bool done = link_receive_state(word_at(queue, number)) == LINK_RECEIVE_DONE;
    struct rdma_task *task = remove_receive(queue, rdma, number);
    if (!done) {
        rdma_task_flush(task, DOCA_ERROR_BAD_STATE);
    }
    return task;
}

void
rdma_receive_queue_abandon(struct receive_queue *queue) {
    memset(queue->tasks, 0, queue->header->num_receives * sizeof(*queue->tasks));
    TAILQ_INIT(&queue->waiting);
    queue->first = queue->next;
    queue->num_posted = 0;
}

bool
rdma_receive_queue_has_message(const struct receive_queue *queue, uint32_t connection_serial) {
    for (uint32_t number = queue->first; number != queue->next; number++) {
        const struct link_receive *receive = receive_at(queue, number);
        if (link_receive_state(word_at(queue, number)) == LINK_RECEIVE_DONE &&
            receive->connection_serial == connection_serial) {
            return true;
        }
    }
    return false;
}

void
rdma_receive_queue_forget_taker(struct receive_queue *queue, const struct doca_rdma_connection *taker) {
    for (uint32_t number = queue->first; number != queue->next; number++) {
        const uint64_t word = word_at(queue, number);
        if (link_receive_state(word) == LINK_RECEIVE_POSTED) {
            return;
        }
        if (link_receive_state(word) == LINK_RECEIVE_TAKEN && link_receive_slot(word) == taker->slot) {
            fail_taken(queue, taker, number, word);
        }
    }
}

/*
 * The peer's side
 */

static void
note_taken(struct remote_link *remote, struct link_receive *receive, uint32_t number, uint32_t slot,
           struct taken_receive *taken) {
    *taken = (struct taken_receive){.receive = receive, .number = number, .slot = slot};
    for (uint32_t i = 0; i < receive->num_extents && i < remote->header.max_extents; i++) {
        taken->room += receive->extents[i].len;
    }
}

/*
 * Returns the next receive to be taken, and its number; NULL if none is posted. The number of steps is bounded by the
 * number of receives, whatever other processes write.
 */
static struct link_receive *
find_posted(struct remote_link *remote, uint32_t *number) {
    _Atomic uint32_t *next = &remote->block->next_receive;
    for (uint32_t i = 0; i <= remote->header.num_receives; i++) {
        *number = atomic_load(next);
        struct link_receive *receive = link_receive_at(remote->block, &remote->header, *number);
        const uint64_t word = atomic_load(&receive->word);
        if (word == link_receive_word(*number, LINK_RECEIVE_POSTED, 0)) {
            return receive;
        }
        if (link_receive_number(word) == *number) {
            /* A peer has taken it and died before it advanced the next receive. */
            uint32_t expected = *number;
            atomic_compare_exchange_strong(next, &expected, expected + 1);
        } else if (atomic_load(next) == *number) {
            return NULL;
        }
    }
    return NULL;
}

bool
rdma_receive_is_posted(struct remote_link *remote) {
    uint32_t number;
    return find_posted(remote, &number) != NULL;
}

bool
rdma_receive_take(struct remote_link *remote, uint32_t slot, struct taken_receive *taken) {
    uint32_t number;
    struct link_receive *receive;
    while ((receive = find_posted(remote, &number)) != NULL) {
        uint64_t word = link_receive_word(number, LINK_RECEIVE_POSTED, 0);
        if (atomic_compare_exchange_strong(&receive->word, &word,
                                           link_receive_word(number, LINK_RECEIVE_TAKEN, slot))) {
            atomic_compare_exchange_strong(&remote->block->next_receive, &number, number + 1);
            note_taken(remote, receive, link_receive_number(word), slot, taken);
            return true;
        }
    }
    return false;
}

struct link_extent
rdma_receive_extent(const struct remote_link *remote, const struct taken_receive *taken, uint32_t index) {
    return index < taken->receive->num_extents && index < remote->header.max_extents ? taken->receive->extents[index]
                                                                                     : (struct link_extent){0};
}

void
rdma_receive_complete(
        struct remote_link *remote, const struct taken_receive *taken, const struct received *received) {
    struct link_receive *receive = taken->receive;
    receive->opcode = received->opcode;
    receive->immediate = received->immediate;
    receive->len = received->len;
    receive->failure = received->failed ? LINK_RECEIVE_FAILED : LINK_RECEIVE_WHOLE;
    receive->connection_serial = remote->block->slots[taken->slot].connection_serial;
    atomic_store(&receive->word, link_receive_word(taken->number, LINK_RECEIVE_DONE, taken->slot));
    if (atomic_exchange(&remote->block->is_waiting, 0) != 0) {
        rdma_node_ring(remote->node);
    }
}
