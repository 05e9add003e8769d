/* SPDX-License-Identifier: Apache-2.0 */
/* The progress engine: each object with a work queue is a member of it, and progresses in turn. */
#ifndef DOCA_COMPAT_PE_H_
#define DOCA_COMPAT_PE_H_

#include <stdbool.h>
#include <stddef.h>
#include <sys/queue.h>

#include <doca_pe.h>

#include "old_sdk.h"

struct pe_member;

struct pe_member_ops {
    /*
     * Handles one event, or takes another step. Returns false if there was nothing to do. The member may be destroyed
     * when this returns.
     */
    bool (*progress)(struct pe_member *member);
    /* Returns whether progress() would find work that no work queue signals. */
    bool (*has_work)(const struct pe_member *member);
    size_t (*num_inflight)(const struct pe_member *member);
};

struct pe_member {
    const struct pe_member_ops *ops;
    struct doca_pe *pe;
    TAILQ_ENTRY(pe_member) link;
    /* Exists while the member is started. */
    struct old_workq *workq;
    int handle;
    /*
     * True from arming the work queue until its event has fired and was cleared. In between the SDK hides
     * completions.
     */
    bool armed;
};

struct doca_pe {
    TAILQ_HEAD(, pe_member) members;
    size_t num_members;
    size_t num_graphs;
    /* The member whose turn it is. */
    struct pe_member *next;
    /* The descriptor for programs: readable while the handle of a work queue or `wake` is readable. */
    int epoll;
    int wake;
    /* True from the request of a notification until the clear: work queues created in between are armed as well. */
    bool armed;
    /* The depth of nested callbacks of the program: no progress is made in them. */
    uint32_t callback_depth;
};

static inline bool
pe_is_live(const struct doca_pe *pe) {
    return pe != NULL;
}

/* Adds a member, which then takes part in progress. */
void pe_add(struct doca_pe *pe, struct pe_member *member);
void pe_remove(struct pe_member *member);

/* Creates a work queue for a member and adds it to the handle of the engine. */
doca_error_t pe_open_queue(struct pe_member *member, uint32_t depth);
/* Called once the work queue was detached. */
void pe_close_queue(struct pe_member *member);
/* Called once the work queue was attached. Arms it if the engine is armed. */
void pe_start_queue(struct pe_member *member);

/* Returns AGAIN also while the queue is armed and its event has not fired. */
doca_error_t pe_retrieve(struct pe_member *member, struct old_event *event);

/* Makes the engine's handle readable, for work that no work queue signals. */
void pe_wake(struct doca_pe *pe);

#endif /* DOCA_COMPAT_PE_H_ */
