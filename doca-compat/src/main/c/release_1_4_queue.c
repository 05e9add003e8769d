/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "refuse.h"
#include "release_1_4_sdk.h"

/*
 * Buffers. One thread at a time changes a buffer.
 */

doca_error_t
buf_set_data(struct doca_buf *buf, void *data, size_t data_len) {
    const uintptr_t offset = (uintptr_t)data - (uintptr_t)buf->head;
    if (offset > buf->len || data_len > buf->len - offset) {
        return REFUSE(DOCA_ERROR_INVALID_VALUE, "Buf %p: Invalid input: %zu bytes of data at %p, which leave the buffer",
                      (void *)buf, data_len, data);
    }
    buf->data = data;
    buf->data_len = data_len;
    return DOCA_SUCCESS;
}

doca_error_t
buf_refcount_rm(struct doca_buf *buf, uint16_t *refcount) {
    const uint16_t left = --buf->refcount;
    const doca_error_t result = left > 0 ? DOCA_SUCCESS : sdk.buf_refcount_rm(buf->whole, NULL);
    if (result != DOCA_SUCCESS) {
        buf->refcount++;
        return result;
    }
    if (refcount != NULL) {
        *refcount = left;
    }
    if (left == 0) {
        free(buf);
    }
    return DOCA_SUCCESS;
}

doca_error_t
buf_by_args(
        struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *addr, size_t len, void *data, size_t data_len,
        struct doca_buf **buf) {
    struct doca_buf *created = malloc(sizeof(*created));
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    *created = (struct doca_buf){.mmap = mmap, .head = addr, .len = len, .refcount = 1};
    doca_error_t result = buf_set_data(created, data, data_len);
    result = result == DOCA_SUCCESS ? sdk.buf_inventory_buf_by_addr(inventory, mmap, addr, len, &created->whole) : result;
    if (result != DOCA_SUCCESS) {
        free(created);
        return result;
    }
    *buf = created;
    return DOCA_SUCCESS;
}

doca_error_t
buf_dup(struct doca_buf_inventory *inventory, const struct doca_buf *buf, struct doca_buf **dup) {
    return buf_by_args(inventory, buf->mmap, buf->head, buf->len, buf->data, buf->data_len, dup);
}

doca_error_t
buf_get_head(const struct doca_buf *buf, void **head) {
    *head = buf->head;
    return DOCA_SUCCESS;
}

doca_error_t
buf_get_len(const struct doca_buf *buf, size_t *len) {
    *len = buf->len;
    return DOCA_SUCCESS;
}

doca_error_t
buf_get_data(const struct doca_buf *buf, void **data) {
    *data = buf->data;
    return DOCA_SUCCESS;
}

doca_error_t
buf_get_data_len(const struct doca_buf *buf, size_t *data_len) {
    *data_len = buf->data_len;
    return DOCA_SUCCESS;
}

doca_error_t
buf_get_refcount(const struct doca_buf *buf, uint16_t *refcount) {
    *refcount = buf->refcount;
    return DOCA_SUCCESS;
}

/*
 * Work queues. One thread at a time uses a queue.
 */

doca_error_t
queue_destroy(struct old_workq *queue) {
    if (queue->sdk != NULL) {
        const doca_error_t result = sdk.workq_destroy(queue->sdk);
        if (result != DOCA_SUCCESS) {
            return result;
        }
    }
    if (queue->inventory != NULL) {
        (void)sdk.buf_inventory_stop(queue->inventory);
        (void)sdk.buf_inventory_destroy(queue->inventory);
    }
    if (queue->event >= 0) {
        close(queue->event);
    }
    free(queue->copies);
    free(queue);
    return DOCA_SUCCESS;
}

doca_error_t
queue_create(uint32_t depth, struct old_workq **queue) {
    struct old_workq *created = calloc(1, sizeof(*created));
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    created->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    created->copies = calloc(depth, sizeof(struct copy));
    doca_error_t result = created->event < 0 ? DOCA_ERROR_OPERATING_SYSTEM
                          : created->copies == NULL ? DOCA_ERROR_NO_MEMORY
                                                    : sdk.workq_create(depth, &created->sdk);
    result = result == DOCA_SUCCESS ? sdk.buf_inventory_create(NAME, (size_t)depth * 2, 0, &created->inventory) : result;
    result = result == DOCA_SUCCESS ? sdk.buf_inventory_start(created->inventory) : result;
    if (result != DOCA_SUCCESS) {
        (void)queue_destroy(created);
        return result;
    }
    SLIST_INIT(&created->free);
    for (uint32_t i = 0; i < depth; i++) {
        SLIST_INSERT_HEAD(&created->free, &created->copies[i], link);
    }
    *queue = created;
    return DOCA_SUCCESS;
}

doca_error_t
queue_attach(struct old_ctx *ctx, struct old_workq *queue) {
    return sdk.ctx_workq_add(ctx, queue->sdk);
}

doca_error_t
queue_detach(struct old_ctx *ctx, struct old_workq *queue) {
    return sdk.ctx_workq_rm(ctx, queue->sdk);
}

/* Acquires a buffer from the data of a program's buffer to its end. */
static doca_error_t
take_from_data(const struct old_workq *queue, const struct doca_buf *buf, struct sdk_buf **taken) {
    return sdk.buf_inventory_buf_by_addr(queue->inventory, buf->mmap, (char *)buf->data,
                                         buf->len - (size_t)(buf->data - buf->head), taken);
}

static doca_error_t
begin(struct old_workq *queue, struct copy *copy) {
    doca_error_t result = take_from_data(queue, copy->program_src, &copy->job.src);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    result = take_from_data(queue, copy->program_dst, &copy->job.dst);
    if (result == DOCA_SUCCESS) {
        copy->job.num_bytes_to_copy = copy->program_src->data_len;
        result = sdk.workq_submit(queue->sdk, &copy->job.base);
        if (result != DOCA_SUCCESS) {
            (void)sdk.buf_refcount_rm(copy->job.dst, NULL);
        }
    }
    if (result != DOCA_SUCCESS) {
        (void)sdk.buf_refcount_rm(copy->job.src, NULL);
    }
    return result;
}

static void
signal_event(const struct old_workq *queue) {
    if (queue->is_armed && queue->num_inflight > 0) {
        (void)eventfd_write(queue->event, 1);
    }
}

doca_error_t
queue_submit(struct old_workq *queue, const struct old_job *job) {
    const struct old_dma_job_memcpy *request = (const struct old_dma_job_memcpy *)job;
    struct copy *copy = SLIST_FIRST(&queue->free);
    if (copy == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    copy->program_src = (struct doca_buf *)request->src;
    copy->program_dst = request->dst;
    copy->user_data = job->user_data;
    copy->job.base = *job;
    copy->job.base.user_data.ptr = copy;
    const doca_error_t result = begin(queue, copy);
    if (result == DOCA_SUCCESS) {
        SLIST_REMOVE_HEAD(&queue->free, link);
        copy->program_src->refcount++;
        copy->program_dst->refcount++;
        queue->num_inflight++;
        signal_event(queue);
    }
    return result;
}

void
queue_end(struct old_workq *queue, struct copy *copy) {
    (void)sdk.buf_refcount_rm(copy->job.src, NULL);
    (void)sdk.buf_refcount_rm(copy->job.dst, NULL);
    (void)buf_refcount_rm(copy->program_src, NULL);
    (void)buf_refcount_rm(copy->program_dst, NULL);
    SLIST_INSERT_HEAD(&queue->free, copy, link);
    queue->num_inflight--;
}

/* As in release 1.5, the data of the destination begin where they did, and are what the job has copied. */
doca_error_t
queue_retrieve(struct old_workq *queue, struct old_event *event, int flags) {
    event->user_data.ptr = NULL;
    const doca_error_t result = sdk.workq_progress_retrieve(queue->sdk, event, flags);
    struct copy *copy = event->user_data.ptr;
    if (result == DOCA_ERROR_AGAIN || copy == NULL) {
        return result;
    }
    event->user_data = copy->user_data;
    if (result == DOCA_SUCCESS) {
        copy->program_dst->data_len = copy->job.num_bytes_to_copy;
    }
    queue_end(queue, copy);
    return result;
}

doca_error_t
queue_enable_events(struct old_workq *queue, uint8_t enable) {
    (void)queue;
    (void)enable;
    return DOCA_SUCCESS;
}

doca_error_t
queue_get_event_handle(struct old_workq *queue, doca_event_handle_t *handle) {
    *handle = queue->event;
    return DOCA_SUCCESS;
}

doca_error_t
queue_arm(struct old_workq *queue) {
    queue->is_armed = true;
    signal_event(queue);
    return DOCA_SUCCESS;
}

doca_error_t
queue_clear(struct old_workq *queue, doca_event_handle_t handle) {
    eventfd_t count;
    (void)handle;
    (void)eventfd_read(queue->event, &count);
    queue->is_armed = false;
    return DOCA_SUCCESS;
}
