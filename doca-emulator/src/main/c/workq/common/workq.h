/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work queues and their jobs. A job takes an entry of its queue from its submission to the retrieval of its event. A
 * context on a queue is an attachment with its own progress engine and context of the core, whose tasks execute the jobs.
 * So a failure there does not affect other queues of the context. One thread at a time uses a queue and its contexts.
 */
#ifndef DOCA_EMULATOR_WORKQ_H_
#define DOCA_EMULATOR_WORKQ_H_

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include <core_ctx.h>
#include <core_pe.h>
#include <doca_ctx.h>

#include "common/object.h"
#include "workq/common/event_handle.h"

#define WORKQ_MAX_DEPTH (UINT32_C(1) << 24)
/* The number of work requests of a DMA context and a queue. */
#define WORKQ_MAX_REQUESTS 1024

struct attachment;

struct job {
    /* In the list of jobs to be retrieved, or in the list of free jobs. */
    STAILQ_ENTRY(job) link;
    struct doca_workq *workq;
    /* NULL for the run of a graph. */
    struct attachment *attachment;
    struct doca_event event;
    /* The result of the job, and the result of its retrieval. */
    doca_error_t status;
    doca_error_t retrieval_status;
    /* Stores the result in the memory that the program's event refers to. NULL if the result is in the event itself. */
    void (*store_result)(const struct job *job, void *result);
    /* For RDMA: the received message. */
    struct {
        uint32_t len;
        uint32_t opcode;
        uint32_t immediate;
    } message;
    /* The number of the device's work requests that the job takes. */
    uint32_t num_requests;
    /* The number of additional entries that it occupies, for the nodes of a graph. */
    uint32_t num_node_places;
    /* For a node of a graph: called at its end, in place of an event. Otherwise NULL. */
    void (*ended)(struct job *job);
    /* For a graph: called after the retrieval of the event. Otherwise NULL. */
    void (*retrieved)(struct job *job);
    /* The step of a graph that owns it, if any. */
    void *owner;
};

STAILQ_HEAD(job_list, job);

struct attachment {
    struct doca_ctx *ctx;
    struct doca_workq *workq;
    LIST_ENTRY(attachment) of_ctx;
    LIST_ENTRY(attachment) of_workq;
    struct core_pe *pe;
    /* True after the event of a failed job was retrieved: no jobs are accepted until the context is attached again. */
    bool is_broken;
    /* The library's object for the attachment. */
    void *engine;
    uint32_t num_requests;
};

LIST_HEAD(attachment_list, attachment);

struct doca_workq {
    struct object object;
    uint32_t depth;
    /* The number of jobs that it can take, which is the depth from release 2.2 on. */
    uint32_t num_places;
    uint32_t num_used;
    /* As many as there are places; the first num_touched have been used before. */
    struct job *jobs;
    uint32_t num_touched;
    struct job_list free;
    struct job_list finished;
    struct attachment_list attachments;
    /* Graphs attached to it. */
    uint32_t num_graphs;
    /* Signalled if jobs have already completed. Closed without events. */
    struct event_handle events;
};

extern struct object_class workq_class;

/* Sets the depth, without jobs in the queue. Returns NO_MEMORY. */
doca_error_t workq_make_places(struct doca_workq *workq, uint32_t depth);

/* Takes a free entry, and num_node_places more for nodes. Returns NULL if there are not enough. */
struct job *workq_take_job(struct doca_workq *workq, uint32_t num_node_places);

void workq_free_job(struct job *job);

/*
 * Completes the job, so its event can be retrieved. Any error except UNEXPECTED ends the use of the context on this queue.
 */
void workq_end_job(struct job *job, doca_error_t status) EMULATOR_SHARED(workq_end_job);

/* Stores the result in the event. Returns false if the event has no memory for it. */
bool job_store_result(const struct job *job, struct doca_event *event);

struct attachment *workq_find_attachment(const struct doca_workq *workq, const struct doca_ctx *ctx);

/* Submits the job of a program or a graph to the context. On failure the caller keeps the job. */
doca_error_t workq_begin_job(struct attachment *attachment, const struct doca_job *request, struct job *job);

/* Begin and end watching the progress engine of an attachment. */
doca_error_t workq_watch(struct doca_workq *workq, const struct core_pe *pe);
void workq_unwatch(struct doca_workq *workq, const struct core_pe *pe);

#endif /* DOCA_EMULATOR_WORKQ_H_ */
