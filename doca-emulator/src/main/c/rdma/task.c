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

static const char no_room[] = "the destination has too little room after its data";

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
        return no_room;
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

static const char no_room_for_result[] = "the buffer for the result has no room for 8 bytes after its data";

/* Captures the 8 bytes behind the data of the result buffer, which the real library does not require to be inside. */
static const char *
capture_result(struct rdma_task *task) {
    struct doca_buf *result = task->result_buf;
    if (result == NULL) {
        return "there is no buffer for the result";
    }
    if (emulator_settings()->strict && buf_room(result) < sizeof(uint64_t)) {
        return no_room_for_result;
    }
    rdma_extents_clear(&task->local);
    task->local.single = (struct extent){.mmap = result->mmap,
                                         .addr = result->data + result->data_len,
                                         .len = sizeof(uint64_t),
                                         .use = buf_use(result)};
    task->local.count = 1;
    task->local.len = sizeof(uint64_t);
    return NULL;
}

static const char *
capture_atomic(struct rdma_task *task) {
    const struct doca_buf *dst = task->dst;
    if (dst == NULL) {
        return "there is no destination";
    }
    if (emulator_settings()->strict &&
        (!is_segment_inside(dst) || (size_t)(dst->head + dst->len - dst->data) < sizeof(uint64_t))) {
        return "the destination has no 8 bytes";
    }
    task->len = sizeof(uint64_t);
    task->remote = (struct remote_range){.mmap = dst->mmap, .addr = dst->data};
    return capture_result(task);
}

static const char *
capture_event_get(struct rdma_task *task) {
    const struct doca_rdma *rdma = rdma_of(task);
    const char *fault =
            rdma_extents_capture_destination(&task->local, task->dst, rdma_send_list_limit(rdma));
    /* It fills the available room, like a read. */
    task->len = task->local.len < sizeof(uint64_t) ? task->local.len : sizeof(uint64_t);
    rdma_extents_truncate(&task->local, fault == NULL ? task->len : 0);
    return fault;
}

static const char *
capture_event_add(struct rdma_task *task) {
    task->len = sizeof(uint64_t);
    return capture_result(task);
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

/*
 * Captures a receive. Peers may write to its memory as soon as it is posted, so only memory that is valid now is captured. If
 * that is not enough for a message, the receive fails then.
 */
static const char *
capture_receive(struct rdma_task *task) {
    const struct doca_rdma *rdma = rdma_of(task);
    const char *fault = rdma_extents_capture_destination(&task->local, task->dst, rdma_receive_list_limit(rdma));
    for (uint32_t i = 0; fault == NULL && i < task->local.count; i++) {
        if (mmap_is_imported(task->local.items[i].mmap)) {
            fault = "memory of another process cannot receive";
        }
    }
    if (fault == NULL && rdma->properties.recv_buf_list_len == 0) {
        rdma_extents_truncate(&task->local, 0);
    }
    if (fault == NULL) {
        rdma_extents_keep_writable(&task->local, rdma->dev);
    }
    return fault;
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
 * Validation
 */

static const char list_too_long[] = "a buffer list has more elements than the context was configured for";

const char *
rdma_task_validate(const struct rdma_task *task) {
    const struct rdma_properties *properties = &rdma_of(task)->properties;
    switch (task->kind) {
    case RDMA_TASK_ATOMIC_CMP_SWP:
    case RDMA_TASK_ATOMIC_FETCH_ADD:
        if (task->dst->data_len < sizeof(uint64_t)) {
            return "the destination has no 8 bytes of data";
        }
        return buf_room(task->result_buf) < sizeof(uint64_t) ? no_room_for_result : NULL;
    case RDMA_TASK_EVENT_NOTIFY_ADD:
        return buf_room(task->result_buf) < sizeof(uint64_t) ? no_room_for_result : NULL;
    case RDMA_TASK_EVENT_GET:
        return task->len < sizeof(uint64_t) ? "the destination has no room for 8 bytes after its data" : NULL;
    case RDMA_TASK_READ:
        if (rdma_list_is_longer(task->dst, properties->max_send_buf_list_len)) {
            return list_too_long;
        }
        return task->src != NULL && task->src->data_len > rdma_list_room(task->dst) ? no_room : NULL;
    case RDMA_TASK_WRITE:
    case RDMA_TASK_WRITE_IMM:
        if (rdma_list_is_longer(task->src, properties->max_send_buf_list_len)) {
            return list_too_long;
        }
        return task->len > 0 && buf_room(task->dst) < task->len ? no_room : NULL;
    case RDMA_TASK_SEND:
    case RDMA_TASK_SEND_IMM:
        return rdma_list_is_longer(task->src, properties->max_send_buf_list_len) ? list_too_long : NULL;
    case RDMA_TASK_RECEIVE:
        return rdma_list_is_longer(task->dst, properties->recv_buf_list_len) ? list_too_long : NULL;
    case RDMA_TASK_EVENT_NOTIFY_SET:
        break;
    }
    return NULL;
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
