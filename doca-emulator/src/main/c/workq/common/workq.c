/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "common/property.h"
#include "common/sdk_log.h"
#include "common/settings.h"
#include "workq/common/job_ctx.h"
#include "workq/common/workq.h"

struct object_class workq_class = OBJECT_CLASS("workq", struct doca_workq);

/*
 * Entries
 */

struct job *
workq_take_job(struct doca_workq *workq, uint32_t num_node_places) {
    struct job *job = STAILQ_FIRST(&workq->free);
    if (workq->num_places - workq->num_used <= num_node_places) {
        return NULL;
    }
    if (job != NULL) {
        STAILQ_REMOVE_HEAD(&workq->free, link);
    } else {
        job = &workq->jobs[workq->num_touched++];
    }
    workq->num_used += 1 + num_node_places;
    *job = (struct job){.workq = workq, .num_node_places = num_node_places};
    return job;
}

void
workq_free_job(struct job *job) {
    STAILQ_INSERT_HEAD(&job->workq->free, job, link);
    job->workq->num_used -= 1 + job->num_node_places;
}

void
workq_end_job(struct job *job, doca_error_t status) {
    job->status = status;
    job->retrieval_status =
            status == DOCA_SUCCESS || (int)status == CORE_ERROR_UNEXPECTED ? status : DOCA_ERROR_IO_FAILED;
    if (job->attachment != NULL) {
        job->attachment->num_requests -= job->num_requests;
        job->event.result.u64 = status == DOCA_SUCCESS ? DOCA_SUCCESS : DOCA_ERROR_UNKNOWN;
    }
    if (job->ended != NULL) {
        job->ended(job);
    } else {
        STAILQ_INSERT_TAIL(&job->workq->finished, job, link);
    }
}

bool
job_store_result(const struct job *job, struct doca_event *event) {
    if (job->store_result == NULL) {
        event->result = job->event.result;
        return true;
    }
    if (event->result.ptr == NULL) {
        return false;
    }
    job->store_result(job, event->result.ptr);
    return true;
}

struct attachment *
workq_find_attachment(const struct doca_workq *workq, const struct doca_ctx *ctx) {
    struct attachment *attachment;
    LIST_FOREACH(attachment, &workq->attachments, of_workq) {
        if (attachment->ctx == ctx) {
            return attachment;
        }
    }
    return NULL;
}

/*
 * Life
 */

/* On release 1.5, programs submitted 1,024 jobs to a queue of depth 32, so there the depth limits nothing below that. */
doca_error_t
workq_make_places(struct doca_workq *workq, uint32_t depth) {
    const bool exceeds_depth = depth < WORKQ_MAX_REQUESTS && emulator_release_is_at_most(EMULATOR_RELEASE_1_5);
    const uint32_t num_places = exceeds_depth ? WORKQ_MAX_REQUESTS : depth;
    struct job *jobs = calloc(num_places, sizeof(struct job));
    if (jobs == NULL) {
        return SDK_REFUSE(DOCA_ERROR_NO_MEMORY, "Workq %p: no memory for %u jobs", workq, num_places);
    }
    free(workq->jobs);
    workq->jobs = jobs;
    workq->depth = depth;
    workq->num_places = num_places;
    workq->num_touched = 0;
    STAILQ_INIT(&workq->free);
    return DOCA_SUCCESS;
}

doca_error_t
doca_workq_create(uint32_t depth, struct doca_workq **workq) {
    if (workq == NULL || depth == 0) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: depth %u, place for the workq %p", depth,
                          (void *)workq);
    }
    if (depth > WORKQ_MAX_DEPTH) {
        return SDK_REFUSE(DOCA_ERROR_NO_MEMORY, "Failed to create a workq: depth %u, must be up to %u", depth,
                          WORKQ_MAX_DEPTH);
    }
    struct doca_workq *created = object_create(&workq_class);
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    const doca_error_t result = workq_make_places(created, depth);
    if (result != DOCA_SUCCESS) {
        object_destroy(&workq_class, created);
        return result;
    }
    created->events = EVENT_HANDLE_CLOSED;
    STAILQ_INIT(&created->finished);
    *workq = created;
    return DOCA_SUCCESS;
}

doca_error_t
doca_workq_destroy(struct doca_workq *workq) {
    if (!IS_LIVE(workq_class, workq)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (!LIST_EMPTY(&workq->attachments) || workq->num_graphs > 0) {
        return SDK_REFUSE(DOCA_ERROR_IN_USE, "Workq %p: Failed to destroy: contexts or graphs are attached", workq);
    }
    event_handle_close(&workq->events);
    free(workq->jobs);
    object_destroy(&workq_class, workq);
    return DOCA_SUCCESS;
}

doca_error_t
doca_workq_get_depth(const struct doca_workq *workq, uint32_t *depth) {
    return GET_PROPERTY(workq_class, workq, workq->depth, depth);
}

/*
 * Jobs
 */

doca_error_t
workq_begin_job(struct attachment *attachment, const struct doca_job *request, struct job *job) {
    if (attachment->is_broken) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE,
                          "Workq %p: Failed to submit a job of %s %p: a job has failed; attach the context anew",
                          attachment->workq, attachment->ctx->ops->name, attachment->ctx);
    }
    job->workq = attachment->workq;
    job->attachment = attachment;
    job->event.type = request->type;
    job->event.user_data = request->user_data;
    const doca_error_t result = attachment->ctx->ops->submit(attachment, request, job);
    attachment->num_requests += result == DOCA_SUCCESS ? job->num_requests : 0;
    return result;
}

doca_error_t
doca_workq_submit(struct doca_workq *workq, const struct doca_job *job) {
    if (!IS_LIVE(workq_class, workq)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (job == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Workq %p: Invalid input: job is NULL", workq);
    }
    if (!JOB_CTX_IS_LIVE(job->ctx)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    struct attachment *attachment = workq_find_attachment(workq, job->ctx);
    if (attachment == NULL) {
        return SDK_REFUSE(job->ctx->is_started ? DOCA_ERROR_NOT_FOUND : DOCA_ERROR_BAD_STATE,
                          "Workq %p: Failed to submit a job: %s %p is not attached", workq, job->ctx->ops->name,
                          job->ctx);
    }
    struct job *taken = workq_take_job(workq, 0);
    if (taken == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    const doca_error_t result = workq_begin_job(attachment, job, taken);
    if (result != DOCA_SUCCESS) {
        workq_free_job(taken);
    }
    return result;
}

/* Progresses the engines of all contexts once. Returns whether one of them made progress. */
static bool
progress(struct doca_workq *workq) {
    struct attachment *attachment;
    bool progressed = false;
    LIST_FOREACH(attachment, &workq->attachments, of_workq) {
        progressed |= core_pe_progress(attachment->pe) != 0;
    }
    return progressed;
}

/* Frees the entry of a job whose event the program has retrieved. */
static doca_error_t
forget(struct job *job) {
    const doca_error_t status = job->retrieval_status;
    STAILQ_REMOVE_HEAD(&job->workq->finished, link);
    if (status == DOCA_ERROR_IO_FAILED && job->attachment != NULL) {
        job->attachment->is_broken = true;
    }
    if (job->retrieved != NULL) {
        job->retrieved(job);
    }
    workq_free_job(job);
    return status;
}

doca_error_t
doca_workq_progress_retrieve(struct doca_workq *workq, struct doca_event *ev, int flags) {
    (void)flags;
    if (!IS_LIVE(workq_class, workq)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    while (STAILQ_EMPTY(&workq->finished)) {
        if (!progress(workq)) {
            return DOCA_ERROR_AGAIN;
        }
    }
    struct job *job = STAILQ_FIRST(&workq->finished);
    if (ev == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Workq %p: Invalid input: ev is NULL", workq);
    }
    if (!job_store_result(job, ev)) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE,
                          "Workq %p: Invalid input: the event of an RDMA job has to point to a place for the result",
                          workq);
    }
    ev->type = job->event.type;
    ev->user_data = job->event.user_data;
    return forget(job);
}

/*
 * Events
 */

static bool
has_events(const struct doca_workq *workq) {
    return workq->events.epoll >= 0;
}

/* Gives a forked child a handle of its own. */
static doca_error_t
renew_events(struct doca_workq *workq) {
    struct attachment *attachment;
    if (!event_handle_is_inherited(&workq->events)) {
        return DOCA_SUCCESS;
    }
    int error = event_handle_renew(&workq->events);
    LIST_FOREACH(attachment, &workq->attachments, of_workq) {
        error = error == 0 ? event_handle_watch(&workq->events, attachment->pe) : error;
    }
    return error == 0 ? DOCA_SUCCESS : SDK_REFUSE_SYSTEM_ERROR(error, "Workq %p: Failed to renew its events", workq);
}

doca_error_t
workq_watch(struct doca_workq *workq, const struct core_pe *pe) {
    if (!has_events(workq)) {
        return DOCA_SUCCESS;
    }
    const doca_error_t result = renew_events(workq);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    const int error = event_handle_watch(&workq->events, pe);
    return error == 0 ? DOCA_SUCCESS : SDK_REFUSE_SYSTEM_ERROR(error, "Workq %p: Failed to watch a context", workq);
}

void
workq_unwatch(struct doca_workq *workq, const struct core_pe *pe) {
    if (has_events(workq)) {
        event_handle_unwatch(&workq->events, pe);
    }
}

static doca_error_t
enable_events(struct doca_workq *workq) {
    if (has_events(workq)) {
        return renew_events(workq);
    }
    const int error = event_handle_open(&workq->events);
    return error == 0 ? DOCA_SUCCESS : SDK_REFUSE_SYSTEM_ERROR(error, "Workq %p: Failed to enable events", workq);
}

doca_error_t
doca_workq_set_event_driven_enable(struct doca_workq *workq, uint8_t enable) {
    if (!IS_LIVE(workq_class, workq)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (!LIST_EMPTY(&workq->attachments)) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Workq %p: Failed to change the use of events: contexts are attached",
                          workq);
    }
    if (enable) {
        return enable_events(workq);
    }
    event_handle_close(&workq->events);
    return DOCA_SUCCESS;
}

doca_error_t
doca_workq_get_event_driven_enable(struct doca_workq *workq, uint8_t *enabled) {
    return GET_PROPERTY(workq_class, workq, has_events(workq), enabled);
}

/* Refuses functions that need events, unless events are enabled. */
static doca_error_t
check_events(struct doca_workq *workq) {
    if (!IS_LIVE(workq_class, workq)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (!has_events(workq)) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Workq %p: events are not enabled", workq);
    }
    return renew_events(workq);
}

doca_error_t
doca_workq_get_event_handle(struct doca_workq *workq, int *handle) {
    const doca_error_t result = check_events(workq);
    return result != DOCA_SUCCESS ? result : GET_PROPERTY(workq_class, workq, workq->events.epoll, handle);
}

doca_error_t
doca_workq_event_handle_arm(struct doca_workq *workq) {
    struct attachment *attachment;
    const doca_error_t result = check_events(workq);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (!STAILQ_EMPTY(&workq->finished)) {
        event_handle_signal(&workq->events);
    }
    LIST_FOREACH(attachment, &workq->attachments, of_workq) {
        (void)core_pe_request_notification(attachment->pe);
    }
    return DOCA_SUCCESS;
}

/* The handle is not used on Linux. */
doca_error_t
doca_workq_event_handle_clear(struct doca_workq *workq, int handle) {
    (void)handle;
    struct attachment *attachment;
    const doca_error_t result = check_events(workq);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    event_handle_clear(&workq->events);
    LIST_FOREACH(attachment, &workq->attachments, of_workq) {
        (void)core_pe_clear_notification(attachment->pe, 0);
    }
    return DOCA_SUCCESS;
}
