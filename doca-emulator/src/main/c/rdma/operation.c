/* SPDX-License-Identifier: Apache-2.0 */
#include "common/clock.h"
#include "common/device.h"
#include "common/mmap.h"
#include "common/sync_event_remote.h"
#include "rdma/operation.h"
#include "rdma/rdma.h"
#include "rdma/receive_queue.h"

/* An operation is retried after this time, rnr_retry_count times, if the peer has no posted receive. */
#define RNR_INTERVAL_NS (UINT64_C(80) * 1000 * 1000)
#define RNR_RETRY_FOR_EVER 7
/* Setters accept other counts, of which the device uses three bits. */
#define RNR_RETRY_MASK 7
/* The interval between two checks whether an awaited peer is still alive. */
#define LOOK_INTERVAL_NS (UINT64_C(1) * 1000 * 1000)

static struct doca_rdma *
rdma_of(const struct rdma_task *task) {
    return task->connection->rdma;
}

static const struct peer_place *
peer_of(const struct rdma_task *task) {
    return &task->connection->remote->header.node.place;
}

static bool
fail(struct rdma_task *task, const char *reason) {
    rdma_task_fail(task, DOCA_ERROR_IO_FAILED, reason);
    return true;
}

/*
 * Waiting
 */

static bool
peer_has_died(const struct rdma_task *task) {
    int error;
    return !peer_is_there(peer_of(task), &error) && peer_is_gone(error);
}

/* Returns whether the operation has ended because its peer has ended. */
static bool
wait_for_peer(struct rdma_task *task) {
    struct doca_rdma_connection *connection = task->connection;
    const uint64_t now = clock_now();
    if (connection->waiting_since == 0) {
        connection->waiting_since = now;
    }
    if (now - connection->peer_looked_at < LOOK_INTERVAL_NS) {
        return false;
    }
    connection->peer_looked_at = now;
    return peer_has_died(task) && fail(task, "the peer has ended");
}

static bool
wait_for_receive(struct rdma_task *task) {
    struct doca_rdma_connection *connection = task->connection;
    const uint32_t retries = rdma_of(task)->properties.rnr_retry_count & RNR_RETRY_MASK;
    if (connection->rnr_since == 0) {
        connection->rnr_since = clock_now();
    }
    if (retries != RNR_RETRY_FOR_EVER && clock_now() - connection->rnr_since >= retries * RNR_INTERVAL_NS) {
        return fail(task, "the peer has posted no receive");
    }
    return wait_for_peer(task);
}

bool
rdma_operation_waits(const struct doca_rdma_connection *connection) {
    return connection->waiting_since != 0;
}

/*
 * One-sided operations
 */

/* Returns the reason why the operation cannot run, or NULL. */
static const char *
check_remote_access(const struct rdma_task *task, uint32_t permission) {
    if ((task->connection->remote->header.permissions & permission) == 0) {
        return "the peer's context does not permit it";
    }
    switch (mmap_check_remote_access(task->remote.mmap, rdma_of(task)->dev, peer_of(task)->process,
                                     task->remote.addr, task->len, permission)) {
    case DOCA_SUCCESS:
        return NULL;
    case DOCA_ERROR_NOT_PERMITTED:
        return "the remote mmap does not permit it";
    case DOCA_ERROR_NOT_FOUND:
        return "the remote buffer is not of memory of the peer";
    case DOCA_ERROR_BAD_STATE:
        return "the remote mmap is not started";
    default:
        return "the remote buffer leaves its mmap";
    }
}

/* Moves the bytes from the offset to the end. */
static doca_error_t
move(const struct rdma_task *task, size_t offset, size_t end) {
    const bool reads = task->kind == RDMA_TASK_READ;
    doca_error_t result = DOCA_SUCCESS;
    size_t extent_start = 0;
    for (uint32_t i = 0; i < task->local.count && result == DOCA_SUCCESS; i++) {
        const struct extent *extent = &task->local.items[i];
        const size_t from = offset > extent_start ? offset : extent_start;
        const size_t to = end < extent_start + extent->len ? end : extent_start + extent->len;
        if (from < to) {
            uint8_t *local = extent->addr + (from - extent_start);
            uint8_t *remote = task->remote.addr + from;
            result = reads ? mmap_copy(extent->mmap, local, task->remote.mmap, remote, to - from)
                           : mmap_copy(task->remote.mmap, remote, extent->mmap, local, to - from);
        }
        extent_start += extent->len;
    }
    return result;
}

static doca_error_t
move_all(const struct rdma_task *task) {
    doca_error_t result = DOCA_SUCCESS;
    size_t moved = 0;
    if (task->faulty && task->faults.kills_exporter) {
        moved = task->len / 2;
        result = move(task, 0, moved);
        mmap_kill_exporter(task->remote.mmap);
    }
    return result == DOCA_SUCCESS ? move(task, moved, task->len) : result;
}

/* Moves no bytes, but requires a live peer. */
static bool
run_empty(struct rdma_task *task) {
    return !peer_has_died(task) || fail(task, "the peer has ended");
}

static bool
run_move(struct rdma_task *task, uint32_t permission) {
    if (task->len == 0) {
        return run_empty(task);
    }
    const char *fault = check_remote_access(task, permission);
    if (fault == NULL) {
        fault = rdma_task_check_local_access(task);
    }
    if (fault != NULL || move_all(task) != DOCA_SUCCESS) {
        return fail(task, fault);
    }
    task->result_len = (uint32_t)task->len;
    return true;
}

static uint64_t
compute(const struct rdma_task *task, uint64_t original) {
    if (task->kind == RDMA_TASK_ATOMIC_FETCH_ADD) {
        return original + task->data;
    }
    return original == task->cmp_data ? task->data : original;
}

/* Called under the lock of the address. */
static doca_error_t
update(const struct rdma_task *task, uint64_t *original) {
    doca_error_t result = mmap_load(task->remote.mmap, original, task->remote.addr, sizeof(*original));
    if (result == DOCA_SUCCESS) {
        const uint64_t value = compute(task, *original);
        if (value != *original) {
            result = mmap_store(task->remote.mmap, task->remote.addr, &value, sizeof(value));
        }
    }
    return result;
}

static bool
run_atomic(struct rdma_task *task) {
    struct node *node = task->connection->remote->node;
    const uint64_t addr = (uintptr_t)task->remote.addr;
    uint64_t original;
    const char *fault = check_remote_access(task, DOCA_ACCESS_FLAG_RDMA_ATOMIC);
    if (fault == NULL && addr % sizeof(uint64_t) != 0) {
        fault = "the destination is not aligned to 8 bytes";
    }
    if (fault != NULL || rdma_node_lock(node, addr) != DOCA_SUCCESS) {
        return fail(task, fault);
    }
    doca_error_t result = update(task, &original);
    rdma_node_unlock(node, addr);
    /* The answer of the peer arrives only after the update. */
    fault = rdma_task_check_local_access(task);
    if (result == DOCA_SUCCESS && fault == NULL) {
        result = mmap_store(task->local.single.mmap, task->local.single.addr, &original, sizeof(original));
    }
    return (result == DOCA_SUCCESS && fault == NULL) || fail(task, fault);
}

/*
 * Operations on a sync event of the peer
 */

/* Returns the reason why the operation cannot run, or NULL. */
static const char *
check_event(const struct rdma_task *task, uint32_t permission) {
    if ((task->connection->remote->header.permissions & permission) == 0) {
        return "the peer's context does not permit it";
    }
    if (event_value_owner(task->held_event->value) != peer_of(task)->process) {
        return "the sync event is not one of the peer";
    }
    if (task->held_event->dev != rdma_of(task)->dev) {
        return "the sync event was imported by another device";
    }
    return rdma_task_check_local_access(task);
}

/* Copies the 8 bytes of the local buffers. */
static doca_error_t
put_value(const struct rdma_task *task, uint64_t value) {
    doca_error_t result = DOCA_SUCCESS;
    size_t offset = 0;
    for (uint32_t i = 0; i < task->local.count && result == DOCA_SUCCESS; i++) {
        const struct extent *extent = &task->local.items[i];
        result = mmap_store(extent->mmap, extent->addr, (const uint8_t *)&value + offset, extent->len);
        offset += extent->len;
    }
    return result;
}

static doca_error_t
take_value(const struct rdma_task *task, uint64_t *value) {
    doca_error_t result = DOCA_SUCCESS;
    size_t offset = 0;
    for (uint32_t i = 0; i < task->local.count && result == DOCA_SUCCESS; i++) {
        const struct extent *extent = &task->local.items[i];
        result = mmap_load(extent->mmap, (uint8_t *)value + offset, extent->addr, extent->len);
        offset += extent->len;
    }
    return result;
}

static doca_error_t
get_event(const struct rdma_task *task) {
    uint64_t value;
    doca_error_t result = event_value_check(task->held_event->value);
    if (result == DOCA_SUCCESS) {
        result = event_value_load(task->held_event->value, &value);
    }
    return result == DOCA_SUCCESS ? put_value(task, value) : result;
}

static doca_error_t
add_to_event(const struct rdma_task *task) {
    uint64_t fetched;
    const doca_error_t result = event_value_add(task->held_event->value, task->data, &fetched);
    return result == DOCA_SUCCESS ? put_value(task, fetched) : result;
}

static doca_error_t
set_event(const struct rdma_task *task) {
    uint64_t value;
    const doca_error_t result = take_value(task, &value);
    return result == DOCA_SUCCESS ? event_value_store(task->held_event->value, value) : result;
}

static bool
run_on_event(struct rdma_task *task, uint32_t permission, doca_error_t (*run)(const struct rdma_task *task)) {
    const char *fault = check_event(task, permission);
    if (fault != NULL || run(task) != DOCA_SUCCESS) {
        return fail(task, fault == NULL ? "the sync event cannot be reached" : fault);
    }
    task->result_len = (uint32_t)task->len;
    return true;
}

/* Operations with a receive of the peer */

/* Fills the extents of the receive with those of the source. */
static doca_error_t
fill(const struct rdma_task *task, const struct taken_receive *taken) {
    const struct remote_link *remote = task->connection->remote;
    doca_error_t result = DOCA_SUCCESS;
    struct link_extent target = {0};
    uint32_t next_target = 0;
    for (uint32_t i = 0; i < task->local.count; i++) {
        const struct extent *extent = &task->local.items[i];
        for (size_t moved = 0; moved < extent->len && result == DOCA_SUCCESS;) {
            while (target.len == 0 && next_target < remote->header.max_extents) {
                target = rdma_receive_extent(remote, taken, next_target++);
            }
            if (target.len == 0) {
                return DOCA_ERROR_IO_FAILED;
            }
            const size_t rest = extent->len - moved;
            const size_t len = rest < target.len ? rest : target.len;
            result = mmap_copy_to_peer(peer_of(task), (void *)(uintptr_t)target.addr, extent->mmap,
                                       extent->addr + moved, len);
            moved += len;
            target.addr += len;
            target.len -= len;
        }
    }
    return result;
}

static bool
run_send(struct rdma_task *task, struct received received) {
    struct remote_link *remote = task->connection->remote;
    struct taken_receive taken;
    const char *fault = rdma_task_check_local_access(task);
    if (fault != NULL) {
        return fail(task, fault);
    }
    if (!rdma_receive_take(remote, task->connection->remote_slot, &taken)) {
        return wait_for_receive(task);
    }
    if (taken.room < task->len) {
        fault = "it is longer than the peer's receive";
    }
    const bool sent = fault == NULL && (task->len == 0 ? !peer_has_died(task) : fill(task, &taken) == DOCA_SUCCESS);
    received.len = task->len;
    received.failed = !sent;
    rdma_receive_complete(remote, &taken, &received);
    return sent || fail(task, fault);
}

/*
 * The receive is taken last, so that a failed write takes none. If another initiator takes it first, the operation waits
 * for another receive and then writes again.
 */
static bool
run_write_imm(struct rdma_task *task) {
    struct remote_link *remote = task->connection->remote;
    struct taken_receive taken;
    if (!rdma_receive_is_posted(remote)) {
        return wait_for_receive(task);
    }
    run_move(task, DOCA_ACCESS_FLAG_RDMA_WRITE);
    if (task->result != DOCA_SUCCESS) {
        return true;
    }
    if (!rdma_receive_take(remote, task->connection->remote_slot, &taken)) {
        return wait_for_receive(task);
    }
    rdma_receive_complete(remote, &taken,
                          &(struct received){.opcode = DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM,
                                             .immediate = task->immediate,
                                             .len = task->len});
    return true;
}

/* All operations */

/* Returns whether this side sends packets. For a connection by address, both sides choose the GIDs of that address. */
static bool
has_gid(const struct doca_rdma_connection *connection) {
    return connection->by_address || connection->rdma->link.header.gid_type != GID_TYPE_EMPTY;
}

static bool
run_kind(struct rdma_task *task) {
    switch (task->kind) {
    case RDMA_TASK_ATOMIC_CMP_SWP:
    case RDMA_TASK_ATOMIC_FETCH_ADD:
        return run_atomic(task);
    case RDMA_TASK_READ:
        return run_move(task, DOCA_ACCESS_FLAG_RDMA_READ);
    case RDMA_TASK_EVENT_GET:
        return run_on_event(task, DOCA_ACCESS_FLAG_RDMA_READ, get_event);
    case RDMA_TASK_EVENT_NOTIFY_ADD:
        return run_on_event(task, DOCA_ACCESS_FLAG_RDMA_ATOMIC, add_to_event);
    case RDMA_TASK_EVENT_NOTIFY_SET:
        return run_on_event(task, DOCA_ACCESS_FLAG_RDMA_WRITE, set_event);
    case RDMA_TASK_SEND:
        return run_send(task, (struct received){.opcode = DOCA_RDMA_OPCODE_RECV_SEND});
    case RDMA_TASK_SEND_IMM:
        return run_send(task, (struct received){.opcode = DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM,
                                                .immediate = task->immediate});
    case RDMA_TASK_WRITE:
        return run_move(task, DOCA_ACCESS_FLAG_RDMA_WRITE);
    case RDMA_TASK_WRITE_IMM:
        return run_write_imm(task);
    case RDMA_TASK_RECEIVE:
        break;
    }
    return fail(task, "it is no operation of an initiator");
}

static bool
run(struct rdma_task *task) {
    if (task->fault != NULL) {
        return fail(task, NULL);
    }
    switch (rdma_connection_enter(task->connection)) {
    case PEER_NOT_CONNECTED:
        return wait_for_peer(task);
    case PEER_CLOSED:
        if (!task->connection->by_address) {
            return fail(task, "the peer has ended the connection");
        }
        rdma_task_flush(task, DOCA_ERROR_CONNECTION_RESET);
        return true;
    case PEER_GONE:
        return fail(task, "the peer has ended, or is connected to another one");
    case PEER_READY:
        break;
    }
    const bool ended = has_gid(task->connection) ? run_kind(task)
                                                 : fail(task, "the device has no GID of the index of this context");
    rdma_connection_leave(task->connection);
    return ended;
}

/* Returns whether a peer by address has ended, which is an event of the connection and does not fail the context. */
static bool
has_lost_peer(const struct rdma_task *task) {
    const struct doca_rdma_connection *connection = task->connection;
    return connection->by_address &&
           (atomic_load(&connection->remote->block->is_live) == 0 || peer_has_died(task));
}

bool
rdma_operation_run(struct rdma_task *task) {
    const bool ended = run(task);
    if (ended) {
        if (task->result != DOCA_SUCCESS && !task->flushed && has_lost_peer(task)) {
            rdma_task_flush(task, DOCA_ERROR_CONNECTION_RESET);
        }
        task->connection->waiting_since = 0;
        task->connection->rnr_since = 0;
    }
    return ended;
}

static void
for_each_map(const struct rdma_task *task, void (*act)(struct doca_mmap *mmap)) {
    for (uint32_t i = 0; i < task->local.count; i++) {
        act(task->local.items[i].mmap);
    }
    if (task->remote.mmap != NULL) {
        act(task->remote.mmap);
    }
}

bool
rdma_operation_run_pinned(struct rdma_task *task) {
    for_each_map(task, mmap_pin);
    const bool ended = rdma_operation_run(task);
    for_each_map(task, mmap_unpin);
    return ended;
}
