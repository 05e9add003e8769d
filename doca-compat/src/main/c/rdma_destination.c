/* SPDX-License-Identifier: Apache-2.0 */
#include "rdma_destination.h"

#include <stdlib.h>

#include "refuse.h"

#define MIN_NUM_COPIES UINT32_C(256)

/* An inventory for copies. A context creates another one when all copies are in use. */
struct rdma_copies {
    struct rdma_copies *next;
    struct doca_buf_inventory *inventory;
    uint32_t num_elements;
    uint32_t num_free;
};

/* Returns the field of a job with the buffer that it fills; NULL if it fills none or is not in the send queue. */
static struct doca_buf **
destination(struct doca_task *task) {
    switch (task->job.base.type) {
    case OLD_JOB_RDMA_READ:
    case OLD_JOB_RDMA_WRITE:
    case OLD_JOB_RDMA_WRITE_IMM:
        return &task->job.read_write.dst;
    case OLD_JOB_RDMA_ATOMIC_CMP_SWP:
    case OLD_JOB_RDMA_ATOMIC_FETCH_ADD:
        return &task->job.atomic.result;
    default:
        return NULL;
    }
}

static doca_error_t
add_inventory(struct doca_rdma *rdma, uint32_t min_elements) {
    uint32_t num_elements = rdma->copies == NULL ? MIN_NUM_COPIES : 2 * rdma->copies->num_elements;
    while (num_elements < min_elements) {
        num_elements *= 2;
    }
    struct rdma_copies *added = calloc(1, sizeof(*added));
    if (added == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    doca_error_t result = old.doca_buf_inventory_create(NULL, num_elements, 0, &added->inventory);
    if (result == DOCA_SUCCESS) {
        result = old.doca_buf_inventory_start(added->inventory);
        if (result != DOCA_SUCCESS) {
            (void)old.doca_buf_inventory_destroy(added->inventory);
        }
    }
    if (result != DOCA_SUCCESS) {
        free(added);
        return result;
    }
    added->num_elements = num_elements;
    added->num_free = num_elements;
    added->next = rdma->copies;
    rdma->copies = added;
    return DOCA_SUCCESS;
}

void
rdma_destroy_copies(struct doca_rdma *rdma) {
    struct rdma_copies *copies;
    while ((copies = rdma->copies) != NULL) {
        rdma->copies = copies->next;
        (void)old.doca_buf_inventory_stop(copies->inventory);
        (void)old.doca_buf_inventory_destroy(copies->inventory);
        free(copies);
    }
}

/* Takes a copy of a buffer, or of a list, for a task. */
static doca_error_t
take_copy(struct doca_task *task, const struct doca_buf *buf) {
    struct doca_rdma *rdma = (struct doca_rdma *)task->ctx;
    uint32_t num_elements;
    doca_error_t result = old.doca_buf_list_num_elements(buf, &num_elements);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    struct rdma_copies *copies = rdma->copies;
    while (copies != NULL && copies->num_free < num_elements) {
        copies = copies->next;
    }
    if (copies == NULL) {
        result = add_inventory(rdma, num_elements);
        if (result != DOCA_SUCCESS) {
            return REFUSE(result, "RDMA %p: Failed to submit task %p: no inventory for %u more buffers", (void *)rdma,
                          (void *)task, num_elements);
        }
        copies = rdma->copies;
    }
    result = old.doca_buf_inventory_buf_dup(copies->inventory, buf, &task->copy);
    if (result == DOCA_SUCCESS) {
        copies->num_free -= num_elements;
        task->copies = copies;
        task->num_copied = num_elements;
    }
    return result;
}

static void
free_copy(struct doca_task *task) {
    (void)old.doca_buf_refcount_rm(task->copy, NULL);
    task->copies->num_free += task->num_copied;
    task->copy = NULL;
}

doca_error_t
rdma_submit(struct doca_ctx *ctx, struct doca_task *task) {
    struct doca_buf **field = destination(task);
    if (field == NULL || *field == NULL) {
        return old.doca_workq_submit(ctx->member.workq, &task->job.base);
    }
    struct doca_buf *own = *field;
    doca_error_t result = take_copy(task, own);
    if (result == DOCA_SUCCESS) {
        *field = task->copy;
        result = old.doca_workq_submit(ctx->member.workq, &task->job.base);
        *field = own;
        if (result != DOCA_SUCCESS) {
            free_copy(task);
        }
    }
    return result;
}

/* Adds bytes to the data of a buffer or of the elements of a list. Returns UNEXPECTED if they have too little room. */
static doca_error_t
add_length(struct doca_buf *buf, uint64_t length) {
    while (length > 0 && buf != NULL) {
        void *head;
        void *data;
        size_t capacity;
        size_t used;
        doca_error_t result = old.doca_buf_get_head(buf, &head);
        if (result == DOCA_SUCCESS) {
            result = old.doca_buf_get_len(buf, &capacity);
        }
        if (result == DOCA_SUCCESS) {
            result = old.doca_buf_get_data(buf, &data);
        }
        if (result == DOCA_SUCCESS) {
            result = old.doca_buf_get_data_len(buf, &used);
        }
        if (result != DOCA_SUCCESS) {
            return result;
        }
        const size_t room = capacity - (size_t)((char *)data - (char *)head) - used;
        const size_t added = length < room ? length : room;
        result = old.doca_buf_set_data(buf, data, used + added);
        if (result != DOCA_SUCCESS) {
            return result;
        }
        length -= added;
        result = old.doca_buf_list_next(buf, &buf);
        if (result != DOCA_SUCCESS) {
            return result;
        }
    }
    return length == 0 ? DOCA_SUCCESS : DOCA_ERROR_UNEXPECTED;
}

doca_error_t
rdma_complete(struct doca_task *task, doca_error_t result) {
    struct doca_buf **field = destination(task);
    const bool transferred =
            result == DOCA_SUCCESS || (result == DOCA_ERROR_UNEXPECTED && task->result.result == DOCA_SUCCESS);
    if (field == NULL) {
        return transferred && task->job.base.type != OLD_JOB_RDMA_RECEIVE ? DOCA_SUCCESS : result;
    }
    if (task->copy == NULL) {
        return result;
    }
    free_copy(task);
    return transferred ? add_length(*field, task->result.length) : result;
}
