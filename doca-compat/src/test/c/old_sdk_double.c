/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A double of an old SDK, whose results a test sets. It has one work queue at a time, whose jobs complete in order when
 * the test allows it. Used by one thread.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "old_sdk_double.h"

#define MAX_JOBS 64

struct old_workq {
    uint32_t depth;
    int handle;
    bool armed;
};

/* The calls of the translation, and the results of jobs. */
struct old_sdk_double old_sdk_double = {.places = MAX_JOBS, .failing = -1};

static union doca_data jobs[MAX_JOBS];
static uint32_t num_jobs;
static uint32_t num_ended;
static int num_retrieved;
static bool is_broken;

doca_error_t
doca_workq_create(uint32_t depth, struct old_workq **workq) {
    *workq = calloc(1, sizeof(**workq));
    (*workq)->depth = depth;
    (*workq)->handle = eventfd(0, EFD_NONBLOCK);
    old_sdk_double.depth = depth;
    old_sdk_double.num_workqs++;
    num_jobs = 0;
    num_ended = 0;
    num_retrieved = 0;
    is_broken = false;
    return DOCA_SUCCESS;
}

doca_error_t
doca_workq_destroy(struct old_workq *workq) {
    close(workq->handle);
    free(workq);
    old_sdk_double.num_workqs--;
    return DOCA_SUCCESS;
}

doca_error_t
doca_workq_get_event_handle(struct old_workq *workq, int *handle) {
    *handle = workq->handle;
    return DOCA_SUCCESS;
}

doca_error_t
doca_workq_event_handle_arm(struct old_workq *workq) {
    workq->armed = true;
    if (num_ended > 0) {
        (void)eventfd_write(workq->handle, 1);
    }
    return DOCA_SUCCESS;
}

doca_error_t
doca_workq_event_handle_clear(struct old_workq *workq, int handle) {
    eventfd_t count;
    (void)eventfd_read(handle, &count);
    workq->armed = false;
    return DOCA_SUCCESS;
}

doca_error_t
doca_workq_submit(struct old_workq *workq, const struct old_job *job) {
    if (is_broken) {
        return DOCA_ERROR_BAD_STATE;
    }
    if (num_jobs == old_sdk_double.places || num_jobs == workq->depth) {
        return DOCA_ERROR_NO_MEMORY;
    }
    jobs[num_jobs++] = job->user_data;
    old_sdk_double.num_submitted++;
    if (workq->armed && !old_sdk_double.held) {
        num_ended = num_jobs;
        (void)eventfd_write(workq->handle, 1);
    }
    return DOCA_SUCCESS;
}

doca_error_t
doca_workq_progress_retrieve(struct old_workq *workq, struct old_event *ev, int flags) {
    (void)flags;
    if (old_sdk_double.retrieve_result != DOCA_SUCCESS) {
        return old_sdk_double.retrieve_result;
    }
    num_ended = old_sdk_double.held ? num_ended : num_jobs;
    /* As in the old SDK, completions are invisible while the queue is armed. */
    if (num_ended == 0 || workq->armed) {
        return DOCA_ERROR_AGAIN;
    }
    ev->user_data = jobs[0];
    memmove(jobs, jobs + 1, --num_jobs * sizeof(*jobs));
    num_ended--;
    is_broken |= num_retrieved++ == old_sdk_double.failing;
    ev->result.u64 = is_broken ? DOCA_ERROR_UNKNOWN : DOCA_SUCCESS;
    return is_broken ? DOCA_ERROR_IO_FAILED : DOCA_SUCCESS;
}

doca_error_t
doca_ctx_start(struct old_ctx *ctx) {
    (void)ctx;
    old_sdk_double.num_started++;
    return old_sdk_double.start_result;
}

doca_error_t
doca_ctx_stop(struct old_ctx *ctx) {
    (void)ctx;
    if (old_sdk_double.stop_result == DOCA_SUCCESS) {
        old_sdk_double.num_started--;
    }
    return old_sdk_double.stop_result;
}

struct old_ctx *
doca_dma_as_ctx(struct old_dma *dma) {
    return (struct old_ctx *)dma;
}

doca_error_t
doca_dma_create(struct old_dma **dma) {
    *dma = (struct old_dma *)&old_sdk_double;
    return DOCA_SUCCESS;
}

doca_error_t
doca_bufpool_get_num_free_elements(const struct old_bufpool *bufpool, uint32_t *num_of_free_elements) {
    (void)bufpool;
    *num_of_free_elements = old_sdk_double.num_free;
    return DOCA_SUCCESS;
}
