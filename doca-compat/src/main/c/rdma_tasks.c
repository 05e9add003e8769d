/* SPDX-License-Identifier: Apache-2.0 */
/* The tasks of RDMA. Each is submitted as a job and stores its fields in that job. */
#include "rdma.h"

#include "refuse.h"

static struct doca_task *
as_task(const void *task) {
    return (struct doca_task *)task;
}

static struct doca_task *
alloc(struct doca_rdma *rdma, struct doca_rdma_connection *connection, enum rdma_pool pool, union doca_data user_data,
      void *task, doca_error_t *result) {
    struct doca_task *allocated = NULL;
    if (rdma == NULL || task == NULL) {
        *result = rdma == NULL ? REFUSE_NULL(rdma) : REFUSE_NULL(task);
    } else if (pool != RDMA_RECEIVE && connection == NULL) {
        *result = REFUSE_NULL(connection);
    } else {
        *result = task_alloc(&rdma->pools[pool], &rdma->ctx, user_data, &allocated);
    }
    if (allocated != NULL) {
        allocated->connection = connection;
    }
    return allocated;
}

/* The configuration of a type of tasks, and the conversion of such a task. */
#define TASK(name, pool) \
    doca_error_t doca_rdma_task_##name##_set_conf( \
            struct doca_rdma *rdma, doca_rdma_task_##name##_completion_cb_t successful_task_completion_cb, \
            doca_rdma_task_##name##_completion_cb_t error_task_completion_cb, uint32_t num_tasks) { \
        return rdma == NULL ? REFUSE_NULL(rdma) \
                            : ctx_set_conf(&rdma->ctx, pool, num_tasks, (task_callback)successful_task_completion_cb, \
                                           (task_callback)error_task_completion_cb); \
    } \
    struct doca_task *doca_rdma_task_##name##_as_task(struct doca_rdma_task_##name *task) { \
        return as_task(task); \
    }

#define CONNECTION(name) \
    const struct doca_rdma_connection *doca_rdma_task_##name##_get_rdma_connection( \
            const struct doca_rdma_task_##name *task) { \
        return as_task(task)->connection; \
    } \
    void doca_rdma_task_##name##_set_rdma_connection( \
            struct doca_rdma_task_##name *task, struct doca_rdma_connection *rdma_connection) { \
        as_task(task)->connection = rdma_connection; \
    }

#define FIELD(name, property, type, field) \
    type doca_rdma_task_##name##_get_##property(const struct doca_rdma_task_##name *task) { \
        return as_task(task)->job.field; \
    } \
    void doca_rdma_task_##name##_set_##property(struct doca_rdma_task_##name *task, type property) { \
        as_task(task)->job.field = property; \
    }

TASK(receive, RDMA_RECEIVE)
FIELD(receive, dst_buf, struct doca_buf *, receive.dst)

TASK(send, RDMA_SEND)
CONNECTION(send)
FIELD(send, src_buf, const struct doca_buf *, send.src)

TASK(send_imm, RDMA_SEND_IMM)
CONNECTION(send_imm)
FIELD(send_imm, src_buf, const struct doca_buf *, send.src)
FIELD(send_imm, immediate_data, doca_be32_t, send.immediate_data)

TASK(read, RDMA_READ)
CONNECTION(read)
FIELD(read, src_buf, const struct doca_buf *, read_write.src)
FIELD(read, dst_buf, struct doca_buf *, read_write.dst)

TASK(write, RDMA_WRITE)
CONNECTION(write)
FIELD(write, src_buf, const struct doca_buf *, read_write.src)
FIELD(write, dst_buf, struct doca_buf *, read_write.dst)

TASK(write_imm, RDMA_WRITE_IMM)
CONNECTION(write_imm)
FIELD(write_imm, src_buf, const struct doca_buf *, read_write.src)
FIELD(write_imm, dst_buf, struct doca_buf *, read_write.dst)
FIELD(write_imm, immediate_data, doca_be32_t, read_write.immediate_data)

TASK(atomic_cmp_swp, RDMA_ATOMIC_CMP_SWP)
CONNECTION(atomic_cmp_swp)
FIELD(atomic_cmp_swp, dst_buf, struct doca_buf *, atomic.dst)
FIELD(atomic_cmp_swp, result_buf, struct doca_buf *, atomic.result)
FIELD(atomic_cmp_swp, cmp_data, uint64_t, atomic.cmp)
FIELD(atomic_cmp_swp, swap_data, uint64_t, atomic.swap_or_add)

TASK(atomic_fetch_add, RDMA_ATOMIC_FETCH_ADD)
CONNECTION(atomic_fetch_add)
FIELD(atomic_fetch_add, dst_buf, struct doca_buf *, atomic.dst)
FIELD(atomic_fetch_add, result_buf, struct doca_buf *, atomic.result)
FIELD(atomic_fetch_add, add_data, uint64_t, atomic.swap_or_add)

/*
 * Allocation
 */

doca_error_t
doca_rdma_task_receive_allocate_init(
        struct doca_rdma *rdma, struct doca_buf *dst_buf, union doca_data user_data,
        struct doca_rdma_task_receive **task) {
    doca_error_t result;
    struct doca_task *allocated = alloc(rdma, NULL, RDMA_RECEIVE, user_data, task, &result);
    if (allocated != NULL) {
        allocated->job.receive.dst = dst_buf;
        *task = (struct doca_rdma_task_receive *)allocated;
    }
    return result;
}

doca_error_t
doca_rdma_task_send_allocate_init(
        struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, const struct doca_buf *src_buf,
        union doca_data user_data, struct doca_rdma_task_send **task) {
    doca_error_t result;
    struct doca_task *allocated = alloc(rdma, rdma_connection, RDMA_SEND, user_data, task, &result);
    if (allocated != NULL) {
        allocated->job.send.src = src_buf;
        *task = (struct doca_rdma_task_send *)allocated;
    }
    return result;
}

doca_error_t
doca_rdma_task_send_imm_allocate_init(
        struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, const struct doca_buf *src_buf,
        doca_be32_t immediate_data, union doca_data user_data, struct doca_rdma_task_send_imm **task) {
    doca_error_t result;
    struct doca_task *allocated = alloc(rdma, rdma_connection, RDMA_SEND_IMM, user_data, task, &result);
    if (allocated != NULL) {
        allocated->job.send.src = src_buf;
        allocated->job.send.immediate_data = immediate_data;
        *task = (struct doca_rdma_task_send_imm *)allocated;
    }
    return result;
}

static struct doca_task *
alloc_read_write(
        struct doca_rdma *rdma, struct doca_rdma_connection *connection, enum rdma_pool pool, const struct doca_buf *src,
        struct doca_buf *dst, union doca_data user_data, void *task, doca_error_t *result) {
    struct doca_task *allocated = alloc(rdma, connection, pool, user_data, task, result);
    if (allocated != NULL) {
        allocated->job.read_write.src = src;
        allocated->job.read_write.dst = dst;
    }
    return allocated;
}

doca_error_t
doca_rdma_task_read_allocate_init(
        struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, const struct doca_buf *src_buf,
        struct doca_buf *dst_buf, union doca_data user_data, struct doca_rdma_task_read **task) {
    doca_error_t result;
    struct doca_task *allocated =
            alloc_read_write(rdma, rdma_connection, RDMA_READ, src_buf, dst_buf, user_data, task, &result);
    if (allocated != NULL) {
        *task = (struct doca_rdma_task_read *)allocated;
    }
    return result;
}

doca_error_t
doca_rdma_task_write_allocate_init(
        struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, const struct doca_buf *src_buf,
        struct doca_buf *dst_buf, union doca_data user_data, struct doca_rdma_task_write **task) {
    doca_error_t result;
    struct doca_task *allocated =
            alloc_read_write(rdma, rdma_connection, RDMA_WRITE, src_buf, dst_buf, user_data, task, &result);
    if (allocated != NULL) {
        *task = (struct doca_rdma_task_write *)allocated;
    }
    return result;
}

doca_error_t
doca_rdma_task_write_imm_allocate_init(
        struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, const struct doca_buf *src_buf,
        struct doca_buf *dst_buf, doca_be32_t immediate_data, union doca_data user_data,
        struct doca_rdma_task_write_imm **task) {
    doca_error_t result;
    struct doca_task *allocated =
            alloc_read_write(rdma, rdma_connection, RDMA_WRITE_IMM, src_buf, dst_buf, user_data, task, &result);
    if (allocated != NULL) {
        allocated->job.read_write.immediate_data = immediate_data;
        *task = (struct doca_rdma_task_write_imm *)allocated;
    }
    return result;
}

static struct doca_task *
alloc_atomic(
        struct doca_rdma *rdma, struct doca_rdma_connection *connection, enum rdma_pool pool, struct doca_buf *dst,
        struct doca_buf *result_buf, uint64_t swap_or_add, uint64_t cmp, union doca_data user_data, void *task,
        doca_error_t *result) {
    struct doca_task *allocated = alloc(rdma, connection, pool, user_data, task, result);
    if (allocated != NULL) {
        allocated->job.atomic.dst = dst;
        allocated->job.atomic.result = result_buf;
        allocated->job.atomic.swap_or_add = swap_or_add;
        allocated->job.atomic.cmp = cmp;
    }
    return allocated;
}

doca_error_t
doca_rdma_task_atomic_cmp_swp_allocate_init(
        struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, struct doca_buf *dst_buf,
        struct doca_buf *result_buf, uint64_t cmp_data, uint64_t swap_data, union doca_data user_data,
        struct doca_rdma_task_atomic_cmp_swp **task) {
    doca_error_t result;
    struct doca_task *allocated = alloc_atomic(rdma, rdma_connection, RDMA_ATOMIC_CMP_SWP, dst_buf, result_buf, swap_data,
                                               cmp_data, user_data, task, &result);
    if (allocated != NULL) {
        *task = (struct doca_rdma_task_atomic_cmp_swp *)allocated;
    }
    return result;
}

doca_error_t
doca_rdma_task_atomic_fetch_add_allocate_init(
        struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, struct doca_buf *dst_buf,
        struct doca_buf *result_buf, uint64_t add_data, union doca_data user_data,
        struct doca_rdma_task_atomic_fetch_add **task) {
    doca_error_t result;
    struct doca_task *allocated = alloc_atomic(rdma, rdma_connection, RDMA_ATOMIC_FETCH_ADD, dst_buf, result_buf,
                                               add_data, 0, user_data, task, &result);
    if (allocated != NULL) {
        *task = (struct doca_rdma_task_atomic_fetch_add *)allocated;
    }
    return result;
}

/*
 * Results
 */

uint32_t
doca_rdma_task_read_get_result_len(const struct doca_rdma_task_read *task) {
    return as_task(task)->result.length;
}

uint32_t
doca_rdma_task_receive_get_result_len(const struct doca_rdma_task_receive *task) {
    return as_task(task)->result.length;
}

enum doca_rdma_opcode
doca_rdma_task_receive_get_result_opcode(const struct doca_rdma_task_receive *task) {
    return (enum doca_rdma_opcode)as_task(task)->result.opcode;
}

doca_be32_t
doca_rdma_task_receive_get_result_immediate_data(const struct doca_rdma_task_receive *task) {
    return as_task(task)->result.immediate_data;
}

const struct doca_rdma_connection *
doca_rdma_task_receive_get_result_rdma_connection(const struct doca_rdma_task_receive *task) {
    return &((const struct doca_rdma *)as_task(task)->ctx)->connection;
}
