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
     * Handles one event, or takes another step; false if there was nothing to do. The member may have been destroyed
     * afterwards.
     */
    bool (*progress)(struct pe_member *member);
    /* True if progress() would find work that no work queue signals. */
    bool (*has_work)(const struct pe_member *member);
    size_t (*num_inflight)(const struct pe_member *member);
};

struct pe_member {
    const struct pe_member_ops *ops;
    struct doca_pe *pe;
    TAILQ_ENTRY(pe_member) link;
    /* While it is started. */
    struct old_workq *workq;
    int handle;
    /*
     * The work queue was armed, and its event has not fired and been cleared since: until then the SDK hides
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
    /* The descriptor for programs: readable while the handle of a work queue or `wake` is. */
    int epoll;
    int wake;
    /* A notification was requested, and not cleared since: work queues created later are armed as well. */
    bool armed;
    /* The depth of nested callbacks of the program: no progress is made in them. */
    uint32_t callback_depth;
};

static inline bool
pe_is_live(const struct doca_pe *pe) {
    return pe != NULL;
}

/* A member of an engine progresses from now on. */
void pe_add(struct doca_pe *pe, struct pe_member *member);
void pe_remove(struct pe_member *member);

/* Creates a work queue for a member, which the handle of its engine covers. */
doca_error_t pe_open_queue(struct pe_member *member, uint32_t depth);
/* Call this once the work queue was detached. */
void pe_close_queue(struct pe_member *member);
/* Call this once the work queue was attached: arms it if the engine is armed. */
void pe_start_queue(struct pe_member *member);

/* AGAIN also while the queue is armed and its event has not fired. */
doca_error_t pe_retrieve(struct pe_member *member, struct old_event *event);

/* Makes the engine's handle readable, for work that no work queue signals. */
void pe_wake(struct doca_pe *pe);

#endif /* DOCA_COMPAT_PE_H_ */
