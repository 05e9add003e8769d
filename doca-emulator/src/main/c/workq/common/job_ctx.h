/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contexts of the releases with work queues. A library embeds a struct doca_ctx at the beginning of its object and
 * implements the operations.
 */
#ifndef DOCA_EMULATOR_JOB_CTX_H_
#define DOCA_EMULATOR_JOB_CTX_H_

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include <doca_ctx.h>

#include "common/object.h"
#include "workq/common/workq.h"

#define JOB_CTX_MAGIC UINT32_C(0x4a435458)

struct job_ctx_ops {
    /* The name in log records, before the address of the context. */
    const char *name;
    /*
     * Sets the device of the context, or NULL to remove it. Contexts of a library without this operation have no
     * devices.
     */
    doca_error_t (*set_dev)(struct doca_ctx *ctx, struct doca_dev *dev);
    doca_error_t (*start)(struct doca_ctx *ctx);
    /* Fails like job_ctx_stop_core(). */
    doca_error_t (*stop)(struct doca_ctx *ctx);
    /*
     * Create and destroy the core objects that execute the jobs of this queue, with their progress engine. Called
     * without jobs.
     */
    doca_error_t (*attach)(struct attachment *attachment);
    void (*detach)(struct attachment *attachment);
    /* Executes the job, and calls workq_end_job() at its end. */
    doca_error_t (*submit)(struct attachment *attachment, const struct doca_job *request, struct job *job);
};

struct doca_ctx {
    struct object object;
    /* Distinguishes contexts of any class from other objects. */
    uint32_t magic;
    const struct job_ctx_ops *ops;
    /* The device that the program has added. */
    struct doca_dev *dev;
    bool is_started;
    /* True after a stop has failed because another process was accessing memory. */
    bool stop_was_refused;
    struct attachment_list attachments;
};

/* Returns INITIALIZATION if the process has its maximum number of contexts. Sync events do not count. */
doca_error_t job_ctx_init(struct doca_ctx *ctx, const struct job_ctx_ops *ops) EMULATOR_SHARED(job_ctx_init);

/*
 * Stops the context, if it was started, and removes its device. Returns IN_USE while it is attached to a queue, or if it
 * cannot stop.
 */
doca_error_t job_ctx_fini(struct doca_ctx *ctx) EMULATOR_SHARED(job_ctx_fini);

/* Returns whether the handle is a context; if not, logs that under the name of the calling function. */
bool job_ctx_is_live(const struct doca_ctx *ctx, const char *function) EMULATOR_SHARED(job_ctx_is_live);

#define JOB_CTX_IS_LIVE(ctx) job_ctx_is_live((ctx), __func__)

/*
 * Starts the core's context, with the progress engine of its previous start or, if *pe is NULL, with a new one. The
 * context must be destroyed before its engine.
 */
doca_error_t job_ctx_start_core(struct core_ctx *core, struct core_pe **pe) EMULATOR_SHARED(job_ctx_start_core);

/*
 * Stops the core's context, which ends its tasks. Returns IN_USE, with a record in the log, if another process still
 * accesses memory through it after seconds, because it is suspended. A later call waits for some milliseconds only.
 */
doca_error_t job_ctx_stop_core(struct doca_ctx *ctx, struct core_ctx *core, struct core_pe *pe) EMULATOR_SHARED(job_ctx_stop_core);

#endif /* DOCA_EMULATOR_JOB_CTX_H_ */
