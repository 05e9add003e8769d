/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ABI of DOCA 2.0 to 2.2, and the parts of it that 1.5 and 1.4 have (see release_1_5.h and release_1_4.h), as far as it is called here. Types
 * and constants that have another meaning in later releases begin with old_. Devices, memory maps, inventories and
 * buffers are passed through and keep their names.
 */
#ifndef DOCA_COMPAT_OLD_SDK_H_
#define DOCA_COMPAT_OLD_SDK_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_dev.h>
#include <doca_error.h>
#include <doca_log.h>
#include <doca_mmap.h>
#include <doca_types.h>

struct doca_buf;
struct doca_buf_inventory;
struct doca_mmap;
struct doca_rdma_gid;
struct ibv_pd;

struct old_bufpool;
struct old_ctx;
struct old_dma;
struct old_logger_backend;
struct old_rdma;
struct old_sync_event;
struct old_workq;

/* The first member of each kind of job. Submission copies the job. */
struct old_job {
    int type;
    int flags;
    struct old_ctx *ctx;
    union doca_data user_data;
};

struct old_event {
    int type;
    union doca_data user_data;
    union doca_data result;
};

enum {
    OLD_JOB_DMA_MEMCPY = 0x10001,
    OLD_JOB_RDMA_RECEIVE = 0xd0001,
    OLD_JOB_RDMA_SEND = 0xd0002,
    OLD_JOB_RDMA_SEND_IMM = 0xd0003,
    OLD_JOB_RDMA_READ = 0xd0004,
    OLD_JOB_RDMA_WRITE = 0xd0005,
    OLD_JOB_RDMA_WRITE_IMM = 0xd0006,
    OLD_JOB_RDMA_ATOMIC_CMP_SWP = 0xd0007,
    OLD_JOB_RDMA_ATOMIC_FETCH_ADD = 0xd0008,
    OLD_JOB_SYNC_EVENT_WAIT_GT = 0xf0001,
    OLD_JOB_SYNC_EVENT_GET = 0xf0002,
    OLD_JOB_SYNC_EVENT_SET = 0xf0003,
    OLD_JOB_SYNC_EVENT_ADD = 0xf0004,
};

struct old_dma_job_memcpy {
    struct old_job base;
    struct doca_buf *dst;
    const struct doca_buf *src;
};

struct old_rdma_job_receive {
    struct old_job base;
    struct doca_buf *dst;
};

struct old_rdma_job_send {
    struct old_job base;
    const struct doca_buf *src;
    doca_be32_t immediate_data;
    const void *peer;
};

struct old_rdma_job_read_write {
    struct old_job base;
    struct doca_buf *dst;
    const struct doca_buf *src;
    doca_be32_t immediate_data;
    const void *peer;
};

struct old_rdma_job_atomic {
    struct old_job base;
    struct doca_buf *dst;
    struct doca_buf *result;
    uint64_t swap_or_add;
    uint64_t cmp;
    const void *peer;
};

/* The result of an RDMA job. `result` of its event points to it before the event is retrieved. */
struct old_rdma_result {
    doca_error_t result;
    uint32_t opcode;
    uint32_t length;
    void *peer;
    doca_be32_t immediate_data;
};

enum {
    OLD_RDMA_STATE_RESET = 0,
    OLD_RDMA_STATE_INIT = 1,
    OLD_RDMA_STATE_CONNECTED = 2,
    OLD_RDMA_STATE_ERROR = 3,
};

struct old_sync_event_job_wait {
    struct old_job base;
    uint64_t value;
    uint64_t mask;
};

struct old_sync_event_job_get {
    struct old_job base;
    uint64_t *value;
};

struct old_sync_event_job_set {
    struct old_job base;
    uint64_t value;
};

struct old_sync_event_job_add {
    struct old_job base;
    uint64_t value;
    uint64_t *fetched;
};

/*
 * Lists of functions with their result, name and parameters. GenerateApi.java of doca-ffi writes them: those with the mark API_COMPAT.
 */
#include "old_sdk_functions.h"

#define OLD_FIELD(result, name, parameters) result(*name) parameters;

/*
 * The functions of the opened SDK; NULL if it lacks the function. Written by the thread that opens it, before other
 * threads use it.
 */
struct old_sdk {
    OLD_COMMON_FUNCTIONS(OLD_FIELD)
    OLD_BUFPOOL_FUNCTIONS(OLD_FIELD)
    OLD_LOG_FUNCTIONS(OLD_FIELD)
    OLD_SYNC_EVENT_FUNCTIONS(OLD_FIELD)
    OLD_RDMA_BRIDGE_FUNCTIONS(OLD_FIELD)
    OLD_VERSION_FUNCTIONS(OLD_FIELD)
    OLD_DMA_FUNCTIONS(OLD_FIELD)
    OLD_RDMA_FUNCTIONS(OLD_FIELD)
    /* Parts of libdoca_common that were added in later releases. */
    bool has_bufpool;
    bool has_log;
    bool has_sync_event;
    bool has_bridge;
    bool has_version;
};

extern struct old_sdk old;

/*
 * Opens one of the libraries common, dma and rdma, in this order.
 *
 * Returns NULL, or the reason why it cannot be used: a malloc'ed text that begins with a verb, because it follows the
 * path in a sentence.
 */
char *docajava_old_sdk_open(const char *library, const char *path);

#endif /* DOCA_COMPAT_OLD_SDK_H_ */
