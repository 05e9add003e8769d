/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work queues and their jobs. A job takes one of the places of its queue from its submission to the retrieval of its
 * event. A context on a queue is an attachment: it has a progress engine and a context of the core of its own, whose
 * tasks carry out the jobs. So what fails there leaves other queues of the context alone. One thread at a time uses a
 * queue and its contexts.
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

#define WORKQ_MAX_DEPTH (UINT32_C(1) << 24)

struct attachment;

struct job {
    /* Among those to be retrieved, or the free ones. */
    STAILQ_ENTRY(job) link;
    struct doca_workq *workq;
    /* NULL for a graph that runs. */
    struct attachment *attachment;
    struct doca_event event;
    /* The result, and the result that the program gets. */
    doca_error_t status;
    doca_error_t retrieval_status;
    /* Stores the result where the program's event points to. NULL for a result that is a word of the event. */
    void (*store_result)(const struct job *job, void *result);
    /* What a message was, of RDMA. */
    struct {
        uint32_t len;
        uint32_t opcode;
        uint32_t immediate;
    } message;
    /* The number of the device's work requests that the job takes. */
    uint32_t num_requests;
    /* The number of additional places that it takes, for the nodes of a graph. */
    uint32_t num_node_places;
    /* For a node of a graph: learns of its end, and there is no event. Otherwise NULL. */
    void (*ended)(struct job *job);
    /* For a graph: learns that the event was retrieved. Otherwise NULL. */
    void (*retrieved)(struct job *job);
    /* The graph's step that it belongs to, if any. */
    void *owner;
};

STAILQ_HEAD(job_list, job);

struct attachment {
    struct doca_ctx *ctx;
    struct doca_workq *workq;
    LIST_ENTRY(attachment) of_ctx;
    LIST_ENTRY(attachment) of_workq;
    struct core_pe *pe;
    /* An event of a failed job was retrieved: nothing can be submitted until the context is attached anew. */
    bool is_broken;
    /* What the library has for it. */
    void *engine;
    uint32_t num_requests;
};

LIST_HEAD(attachment_list, attachment);

struct doca_workq {
    struct object object;
    uint32_t depth;
    uint32_t num_used;
    /* As many as the queue is deep, of which num_touched have been used at some time. */
    struct job *jobs;
    uint32_t num_touched;
    struct job_list free;
    struct job_list finished;
    struct attachment_list attachments;
    /* Graphs that can be submitted to it. */
    uint32_t num_graphs;
    /*
     * The epoll descriptor that programs wait on, and an eventfd for jobs that have ended already; -1 if there are no
     * events.
     */
    int event_handle;
    int pending_event;
};

extern struct object_class workq_class;

/* A free place, which is used from now on with so many more, or NULL. */
struct job *workq_take_job(struct doca_workq *workq, uint32_t num_node_places);

void workq_free_job(struct job *job);

/* The job is over: its event can be retrieved. Any error but UNEXPECTED ends the use of the context on this queue. */
void workq_end_job(struct job *job, doca_error_t status) EMULATOR_SHARED(workq_end_job);

/* Puts the result into the event, unless that has no place for it. */
bool job_store_result(const struct job *job, struct doca_event *event);

struct attachment *workq_find_attachment(const struct doca_workq *workq, const struct doca_ctx *ctx);

/* Has the context carry out the job: for programs and graphs. What fails leaves the job to the caller. */
doca_error_t workq_begin_job(struct attachment *attachment, const struct doca_job *request, struct job *job);

/* The queue begins or ends to watch the progress engine of an attachment. */
doca_error_t workq_watch(struct doca_workq *workq, const struct core_pe *pe);
void workq_unwatch(struct doca_workq *workq, const struct core_pe *pe);

#endif /* DOCA_EMULATOR_WORKQ_H_ */
