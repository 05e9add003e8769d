/* SPDX-License-Identifier: Apache-2.0 */
/* The tasks of an RDMA context. All kinds share one structure; members that a kind does not use are zero. */
#ifndef DOCA_EMULATOR_RDMA_TASK_H_
#define DOCA_EMULATOR_RDMA_TASK_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_rdma.h>

#include "common/faults.h"
#include "common/task.h"
#include "rdma/extents.h"

/* In the order of their names in the API. */
enum rdma_task_kind {
    RDMA_TASK_ATOMIC_CMP_SWP,
    RDMA_TASK_ATOMIC_FETCH_ADD,
    RDMA_TASK_READ,
    RDMA_TASK_RECEIVE,
    RDMA_TASK_EVENT_GET,
    RDMA_TASK_EVENT_NOTIFY_ADD,
    RDMA_TASK_EVENT_NOTIFY_SET,
    RDMA_TASK_SEND,
    RDMA_TASK_SEND_IMM,
    RDMA_TASK_WRITE,
    RDMA_TASK_WRITE_IMM,
};

#define NUM_RDMA_TASK_KINDS 11

/* The range of a peer's memory for an operation, in the addresses of the peer. */
struct remote_range {
    struct doca_mmap *mmap;
    uint8_t *addr;
    /* For a write: the buffer whose data grows by the written bytes. */
    struct buf_use written;
};

struct rdma_task {
    struct doca_task base;
    enum rdma_task_kind kind;

    /* Set by the program. */
    struct doca_rdma_connection *connection;
    const struct doca_buf *src;
    struct doca_buf *dst;
    struct doca_buf *result_buf;
    /* The remote side of tasks on sync events. */
    struct doca_sync_event_remote_net *event;
    doca_be32_t immediate;
    uint64_t cmp_data;
    /* The value to swap in or to add. */
    uint64_t data;

    /* The capture of a submitted task: the local side, the remote side, and the number of bytes. */
    struct extents local;
    struct remote_range remote;
    /* The sync event that is held while the task is in flight. */
    struct doca_sync_event_remote_net *held_event;
    size_t len;
    /* The fault of the task, or NULL. */
    const char *fault;

    /* The result. */
    doca_error_t result;
    /* True if it failed because its connection or its context ended. */
    bool flushed;
    uint32_t result_len;
    enum doca_rdma_opcode result_opcode;
    doca_be32_t result_immediate;
    struct doca_rdma_connection *result_connection;

    /* True if faults were set when the task was submitted, and their effect on it. */
    bool faulty;
    struct task_faults faults;
};

static inline struct rdma_task *
as_rdma_task(struct doca_task *task) {
    return (struct rdma_task *)task;
}

static inline bool
rdma_task_is_atomic(const struct rdma_task *task) {
    return task->kind == RDMA_TASK_ATOMIC_CMP_SWP || task->kind == RDMA_TASK_ATOMIC_FETCH_ADD;
}

static inline bool
rdma_task_is_on_event(const struct rdma_task *task) {
    return task->kind == RDMA_TASK_EVENT_GET || task->kind == RDMA_TASK_EVENT_NOTIFY_ADD ||
           task->kind == RDMA_TASK_EVENT_NOTIFY_SET;
}

/* The name in log records: "send_imm". */
const char *rdma_task_name(const struct rdma_task *task);

/*
 * Captures the buffers, and records any fault of them in the task. Returns INVALID_VALUE if an argument is not a buffer,
 * or not a remote sync event.
 */
doca_error_t rdma_task_capture(struct rdma_task *task);

/* Returns the reason why a try of a submission refuses the captured task, or NULL. */
const char *rdma_task_validate(const struct rdma_task *task);

/* Returns the reason why the local buffers cannot be used, or NULL. May be called from any thread. */
const char *rdma_task_check_local_access(const struct rdma_task *task);

/* Counts the task for the current faults, and records their effect in the task. */
void rdma_task_add_faults(struct rdma_task *task);

/* Logs the failed task and the reason. */
void rdma_task_log_failure(const struct rdma_task *task, const char *what);

/* Ends the task with the error of its fault or, without a fault, with this error and reason. */
void rdma_task_fail(struct rdma_task *task, doca_error_t error, const char *reason);

/* Ends the task as never executed. */
void rdma_task_flush(struct rdma_task *task, doca_error_t error);

#endif /* DOCA_EMULATOR_RDMA_TASK_H_ */
