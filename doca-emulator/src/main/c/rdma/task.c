/* SPDX-License-Identifier: Apache-2.0 */
#include "common/sdk_log.h"
#include "common/settings.h"
#include "common/sync_event_remote.h"
#include "rdma/rdma.h"
#include "rdma/task.h"

static struct doca_rdma *
rdma_of(const struct rdma_task *task) {
    return (struct doca_rdma *)task->base.ctx;
}

const char *
rdma_task_name(const struct rdma_task *task) {
    static const char *const names[NUM_RDMA_TASK_KINDS] = {
            "atomic_cmp_swp",
            "atomic_fetch_add",
            "read",
            "receive",
            "remote_net_sync_event_get",
            "remote_net_sync_event_notify_add",
            "remote_net_sync_event_notify_set",
            "send",
            "send_imm",
            "write",
            "write_imm",
    };
    return names[task->kind];
}

/*
 * Capture
 */

static bool
is_buffer_or_null(const struct doca_buf *buf) {
    return buf == NULL || buf_is_live(buf);
}

static const char *
capture_send(struct rdma_task *task) {
    const struct doca_rdma *rdma = rdma_of(task);
    const char *fault =
            rdma_extents_capture_source(&task->local, task->src, rdma_send_list_limit(rdma));
    task->len = task->local.len;
    return fault;
}

static const char *
capture_write(struct rdma_task *task) {
    const char *fault = capture_send(task);
    const struct doca_buf *dst = task->dst;
    if (fault != NULL || task->len == 0) {
        return fault;
    }
    if (dst == NULL) {
        return "there is no destination";
    }
    if (emulator_settings()->strict && buf_room(dst) < task->len) {
        return "the destination has too little room after its data";
    }
    task->remote = (struct remote_range){
            .mmap = dst->mmap, .addr = dst->data + dst->data_len, .written = buf_use(task->dst)};
    return NULL;
}

/* Captures the smaller one of the source's data and the destination's room. */
static const char *
capture_read(struct rdma_task *task) {
    const struct doca_rdma *rdma = rdma_of(task);
    const char *fault =
            rdma_extents_capture_destination(&task->local, task->dst, rdma_send_list_limit(rdma));
    if (fault != NULL || task->src == NULL) {
        rdma_extents_truncate(&task->local, 0);
        return fault;
    }
    task->len = task->src->data_len < task->local.len ? task->src->data_len : task->local.len;
    rdma_extents_truncate(&task->local, task->len);
    task->remote = (struct remote_range){.mmap = task->src->mmap, .addr = task->src->data};
    return NULL;
}

/* Captures 8 bytes of the result buffer behind its data, if it has that many. */
static const char *
capture_result(struct rdma_task *task, size_t offset, size_t room) {
    struct doca_buf *result = task->result_buf;
    if (emulator_settings()->strict && room < sizeof(uint64_t)) {
        return "the buffer for the result has no 8 bytes";
    }
    rdma_extents_clear(&task->local);
    task->local.single = (struct extent){
            .mmap = result->mmap, .addr = result->data + offset, .len = sizeof(uint64_t), .use = buf_use(result)};
    task->local.count = 1;
    task->local.len = sizeof(uint64_t);
    return NULL;
}

static const char no_result[] = "there is no buffer for the result";

static const char *
capture_atomic(struct rdma_task *task) {
    const struct doca_buf *dst = task->dst;
    if (dst == NULL) {
        return "there is no destination";
    }
    if (!is_segment_inside(dst) || (size_t)(dst->head + dst->len - dst->data) < sizeof(uint64_t)) {
        return "the destination has no 8 bytes";
    }
    if ((uintptr_t)dst->data % sizeof(uint64_t) != 0) {
        return "the destination is not aligned to 8 bytes";
    }
    task->len = sizeof(uint64_t);
    task->remote = (struct remote_range){.mmap = dst->mmap, .addr = dst->data};
    const struct doca_buf *result = task->result_buf;
    return result == NULL ? no_result : capture_result(task, result->data_len, buf_room(result));
}

static const char *
capture_event_get(struct rdma_task *task) {
    const struct doca_rdma *rdma = rdma_of(task);
    const char *fault =
            rdma_extents_capture_destination(&task->local, task->dst, rdma_send_list_limit(rdma));
    task->len = sizeof(uint64_t);
    if (fault == NULL && task->local.len < task->len) {
        /* Release 2.5 fills the available room, like a read, and succeeds. */
        if (emulator_release_is_at_most(EMULATOR_RELEASE_2_5)) {
            task->len = task->local.len;
        } else {
            fault = "the destination has no room for 8 bytes after its data";
        }
    }
    rdma_extents_truncate(&task->local, fault == NULL ? task->len : 0);
    return fault;
}

static const char *
capture_event_add(struct rdma_task *task) {
    task->len = sizeof(uint64_t);
    const struct doca_buf *result = task->result_buf;
    return result == NULL ? no_result
                          : capture_result(task, 0, is_segment_inside(result)
                                                            ? (size_t)(result->head + result->len - result->data)
                                                            : 0);
}

static const char *
capture_event_set(struct rdma_task *task) {
    const char *fault = capture_send(task);
    if (fault == NULL && task->len != sizeof(uint64_t)) {
        fault = "the source has not 8 bytes";
    }
    return fault;
}

const char *
rdma_task_check_local_access(const struct rdma_task *task) {
    const bool writes = rdma_task_is_atomic(task) || task->kind == RDMA_TASK_READ ||
                        task->kind == RDMA_TASK_RECEIVE || task->kind == RDMA_TASK_EVENT_GET ||
                        task->kind == RDMA_TASK_EVENT_NOTIFY_ADD;
    return rdma_extents_check_access(&task->local, rdma_of(task)->dev, writes ? MMAP_ACCESS_WRITE : MMAP_ACCESS_READ);
}

/* Captures a receive. Peers may write to its memory as soon as it is posted, so the memory must be valid now. */
static const char *
capture_receive(struct rdma_task *task) {
    const struct doca_rdma *rdma = rdma_of(task);
    const char *fault = rdma_extents_capture_destination(&task->local, task->dst, rdma_receive_list_limit(rdma));
    for (uint32_t i = 0; fault == NULL && i < task->local.count; i++) {
        if (mmap_is_imported(task->local.items[i].mmap)) {
            fault = "memory of another process cannot receive";
        }
    }
    return fault != NULL ? fault : rdma_task_check_local_access(task);
}

static const char *
capture(struct rdma_task *task) {
    switch (task->kind) {
    case RDMA_TASK_ATOMIC_CMP_SWP:
    case RDMA_TASK_ATOMIC_FETCH_ADD:
        return capture_atomic(task);
    case RDMA_TASK_READ:
        return capture_read(task);
    case RDMA_TASK_RECEIVE:
        return capture_receive(task);
    case RDMA_TASK_EVENT_GET:
        return capture_event_get(task);
    case RDMA_TASK_EVENT_NOTIFY_ADD:
        return capture_event_add(task);
    case RDMA_TASK_EVENT_NOTIFY_SET:
        return capture_event_set(task);
    case RDMA_TASK_SEND:
    case RDMA_TASK_SEND_IMM:
        return capture_send(task);
    case RDMA_TASK_WRITE:
    case RDMA_TASK_WRITE_IMM:
        return capture_write(task);
    }
    return NULL;
}

doca_error_t
rdma_task_capture(struct rdma_task *task) {
    if (!is_buffer_or_null(task->src) || !is_buffer_or_null(task->dst) || !is_buffer_or_null(task->result_buf)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (rdma_task_is_on_event(task) && !sync_event_remote_is_live(task->event)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    task->len = 0;
    task->remote = (struct remote_range){0};
    task->result = DOCA_SUCCESS;
    task->flushed = false;
    task->result_len = 0;
    task->result_connection = NULL;
    task->faulty = false;
    task->fault = capture(task);
    if (task->fault == NULL && task->len > rdma_of(task)->capabilities->max_message_size) {
        task->fault = "it is longer than a message may be";
    }
    return DOCA_SUCCESS;
}

/*
 * Failure
 */

void
rdma_task_add_faults(struct rdma_task *task) {
    task->faulty = true;
    task->faults = faults_of_next_task(task->remote.mmap != NULL && mmap_is_imported(task->remote.mmap));
    if (task->faults.error != DOCA_SUCCESS) {
        task->fault = "the faults that are set ask for it";
    }
}

void
rdma_task_log_failure(const struct rdma_task *task, const char *what) {
    SDK_LOG_ERR("RDMA %p: Failed to %s %s task %p: %s", rdma_of(task), what, rdma_task_name(task), task,
                task->fault != NULL ? task->fault : "the memory cannot be reached");
}

void
rdma_task_fail(struct rdma_task *task, doca_error_t error, const char *reason) {
    const bool is_asked_for = task->faulty && task->faults.error != DOCA_SUCCESS;
    task->result = is_asked_for ? task->faults.error : error;
    task->fault = is_asked_for || reason == NULL ? task->fault : reason;
}

void
rdma_task_flush(struct rdma_task *task, doca_error_t error) {
    task->result = error;
    task->flushed = true;
}
