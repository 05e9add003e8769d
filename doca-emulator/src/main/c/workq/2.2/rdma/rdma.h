/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RDMA contexts with one connection and one queue. Once it has a device, such a context has an RDMA context of the core,
 * which it starts and stops.
 */
#ifndef DOCA_EMULATOR_WORKQ_RDMA_H_
#define DOCA_EMULATOR_WORKQ_RDMA_H_

#include <stdbool.h>
#include <stddef.h>

#include <core_rdma.h>
#include <doca_rdma.h>

#include "common/object.h"
#include "workq/common/job_ctx.h"

struct doca_rdma {
    struct doca_ctx ctx;
    /* NULL without a device. */
    struct core_rdma *core;
    /* Exists since the first start with this device. */
    struct core_pe *pe;
    /* The connection of this run, and its descriptor for the peer; NULL before the first export or connect. */
    struct core_rdma_connection *connection;
    const void *details;
    size_t details_size;
    bool is_connected;
    bool is_attached;
};

extern struct object_class job_rdma_class;

enum doca_rdma_state rdma_get_job_state(const struct doca_rdma *rdma);

/* Sets the callbacks for tasks of the core. The context must not be started. */
doca_error_t rdma_configure_jobs(struct core_rdma *core);

/* The submit operation of contexts: see job_ctx.h. */
doca_error_t rdma_submit_job(struct attachment *attachment, const struct doca_job *request, struct job *job);

/* Returns the maximum number of buffers in a list of this type of job; 0 for an unknown type. */
uint32_t rdma_job_list_limit(int job_type);

#endif /* DOCA_EMULATOR_WORKQ_RDMA_H_ */
