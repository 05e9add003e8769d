/* SPDX-License-Identifier: Apache-2.0 */
/* Translates jobs to tasks of the core, and completed tasks to results. */
#include <core_buf.h>

#include "common/sdk_log.h"
#include "workq/2.2/rdma/rdma.h"

#define ATOMIC_LEN 8

/*
 * Results
 */

/* Writes the members that this type of job sets, and does not change the others. */
static void
store_result(const struct job *job, void *place) {
    struct doca_rdma_result *result = place;
    const bool is_receive = job->event.type == DOCA_RDMA_JOB_RECV;
    if (job->retrieval_status == DOCA_ERROR_IO_FAILED) {
        result->result = DOCA_ERROR_UNKNOWN;
        return;
    }
    result->result = DOCA_SUCCESS;
    result->length = job->message.len;
    if (is_receive) {
        result->opcode = (enum doca_rdma_opcode_t)job->message.opcode;
    }
    if (is_receive && job->message.opcode != DOCA_RDMA_OPCODE_RECV_SEND) {
        result->immediate_data = job->message.immediate;
    }
}

static void
end_job(struct core_task *task, struct job *job) {
    const doca_error_t status = core_task_get_status(task);
    core_task_free(task);
    workq_end_job(job, status);
}

/* Defines the completion function of one kind of tasks. `note` reads data from the task first. */
#define END_JOB(kind, note) \
    static void end_##kind(struct core_rdma_task_##kind *task, union doca_data task_user_data, \
                           union doca_data ctx_user_data) { \
        struct job *job = task_user_data.ptr; \
        (void)ctx_user_data; \
        note; \
        end_job(core_rdma_task_##kind##_as_task(task), job); \
    }

static void
note_received(struct job *job, const struct core_rdma_task_receive *task) {
    job->message.len = core_rdma_task_receive_get_result_len(task);
    job->message.opcode = core_rdma_task_receive_get_result_opcode(task);
    job->message.immediate = core_rdma_task_receive_get_result_immediate_data(task);
}

END_JOB(receive, note_received(job, task))
END_JOB(send, )
END_JOB(send_imm, )
END_JOB(read, job->message.len = core_rdma_task_read_get_result_len(task))
END_JOB(write, )
END_JOB(write_imm, )
END_JOB(atomic_cmp_swp, )
END_JOB(atomic_fetch_add, )

/*
 * Configuration
 */

static uint32_t
round_up(uint32_t size) {
    uint32_t rounded = 1;
    while (rounded < size) {
        rounded *= 2;
    }
    return rounded;
}

doca_error_t
rdma_configure_jobs(struct core_rdma *core) {
    uint32_t num_sends = 0;
    uint32_t num_receives = 0;
    doca_error_t result = core_rdma_get_send_queue_size(core, &num_sends);
    result = result == DOCA_SUCCESS ? core_rdma_get_recv_queue_size(core, &num_receives) : result;
    /* One more than the queue accepts, so that the queue itself refuses one job too many. */
    num_sends = round_up(num_sends) + 1;
    num_receives = round_up(num_receives) + 1;
#define CONFIGURE(kind, num_tasks) \
    result = result == DOCA_SUCCESS ? core_rdma_task_##kind##_set_conf(core, end_##kind, end_##kind, num_tasks) : result

    CONFIGURE(receive, num_receives);
    CONFIGURE(send, num_sends);
    CONFIGURE(send_imm, num_sends);
    CONFIGURE(read, num_sends);
    CONFIGURE(write, num_sends);
    CONFIGURE(write_imm, num_sends);
    CONFIGURE(atomic_cmp_swp, num_sends);
    CONFIGURE(atomic_fetch_add, num_sends);
    return result;
}

uint32_t
rdma_job_list_limit(int job_type) {
    switch (job_type) {
    case DOCA_RDMA_JOB_RECV:
        return 31;
    case DOCA_RDMA_JOB_SEND:
    case DOCA_RDMA_JOB_SEND_IMM:
        return 63;
    case DOCA_RDMA_JOB_READ:
    case DOCA_RDMA_JOB_WRITE:
    case DOCA_RDMA_JOB_WRITE_IMM:
        return 62;
    case DOCA_RDMA_JOB_ATOMIC_CMP_SWP:
    case DOCA_RDMA_JOB_ATOMIC_FETCH_ADD:
        return 1;
    default:
        return 0;
    }
}

/*
 * Submission
 */

/* Returns the local buffer of the job, which may be a list, or NULL for a job without bytes. */
static const struct doca_buf *
local_buf(const struct doca_job *request) {
    switch (request->type) {
    case DOCA_RDMA_JOB_RECV:
        return ((const struct doca_rdma_job_recv *)request)->dst_buff;
    case DOCA_RDMA_JOB_SEND:
    case DOCA_RDMA_JOB_SEND_IMM:
        return ((const struct doca_rdma_job_send *)request)->src_buff;
    case DOCA_RDMA_JOB_READ:
        return ((const struct doca_rdma_job_read_write *)request)->dst_buff;
    case DOCA_RDMA_JOB_WRITE:
    case DOCA_RDMA_JOB_WRITE_IMM:
        return ((const struct doca_rdma_job_read_write *)request)->src_buff;
    default:
        return ((const struct doca_rdma_job_atomic *)request)->result_buff;
    }
}

/* Returns the number of bytes of data in the list. */
static uint32_t
list_data_len(const struct doca_buf *list) {
    struct doca_buf *buf = (struct doca_buf *)list;
    size_t sum = 0;
    while (buf != NULL) {
        size_t len;
        if (core_buf_get_data_len(buf, &len) != DOCA_SUCCESS ||
            core_buf_get_next_in_list(buf, &buf) != DOCA_SUCCESS) {
            break;
        }
        sum += len;
    }
    return (uint32_t)sum;
}

/* Stores the allocated task of the kind, for make_task(). */
#define TAKE(kind, ...) \
    do { \
        struct core_rdma_task_##kind *taken; \
        result = core_rdma_task_##kind##_allocate_init(rdma->core, __VA_ARGS__, user_data, &taken); \
        *task = result == DOCA_SUCCESS ? core_rdma_task_##kind##_as_task(taken) : NULL; \
    } while (0)

/* Allocates a task of the core for the job. */
static doca_error_t
make_task(struct doca_rdma *rdma, const struct doca_job *request, union doca_data user_data, struct core_task **task) {
    const struct doca_rdma_job_recv *receive = (const struct doca_rdma_job_recv *)request;
    const struct doca_rdma_job_send *send = (const struct doca_rdma_job_send *)request;
    const struct doca_rdma_job_read_write *move = (const struct doca_rdma_job_read_write *)request;
    const struct doca_rdma_job_atomic *atomic = (const struct doca_rdma_job_atomic *)request;
    struct core_rdma_connection *connection = rdma->connection;
    doca_error_t result = DOCA_ERROR_INVALID_VALUE;
    switch (request->type) {
    case DOCA_RDMA_JOB_RECV:
        TAKE(receive, receive->dst_buff);
        break;
    case DOCA_RDMA_JOB_SEND:
        TAKE(send, connection, send->src_buff);
        break;
    case DOCA_RDMA_JOB_SEND_IMM:
        TAKE(send_imm, connection, send->src_buff, send->immediate_data);
        break;
    case DOCA_RDMA_JOB_READ:
        TAKE(read, connection, move->src_buff, move->dst_buff);
        break;
    case DOCA_RDMA_JOB_WRITE:
        TAKE(write, connection, move->src_buff, move->dst_buff);
        break;
    case DOCA_RDMA_JOB_WRITE_IMM:
        TAKE(write_imm, connection, move->src_buff, move->dst_buff, move->immediate_data);
        break;
    case DOCA_RDMA_JOB_ATOMIC_CMP_SWP:
        TAKE(atomic_cmp_swp, connection, atomic->cmp_or_add_dest_buff, atomic->result_buff, atomic->cmp_data,
             atomic->swap_or_add_data);
        break;
    case DOCA_RDMA_JOB_ATOMIC_FETCH_ADD:
        TAKE(atomic_fetch_add, connection, atomic->cmp_or_add_dest_buff, atomic->result_buff, atomic->swap_or_add_data);
        break;
    }
    return result;
}

static doca_error_t
check_list(const struct doca_rdma *rdma, const struct doca_job *request) {
    const struct doca_buf *list = local_buf(request);
    const uint32_t limit = rdma_job_list_limit(request->type);
    uint32_t num_elements = 0;
    const doca_error_t result = list == NULL ? DOCA_SUCCESS : core_buf_get_list_len(list, &num_elements);
    if (result != DOCA_SUCCESS || num_elements > limit) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "RDMA %p: Invalid input: job of type %#x with %u buffers, limit %u",
                          rdma, request->type, num_elements, limit);
    }
    return DOCA_SUCCESS;
}

doca_error_t
rdma_submit_job(struct attachment *attachment, const struct doca_job *request, struct job *job) {
    struct doca_rdma *rdma = (struct doca_rdma *)attachment->ctx;
    struct core_task *task;
    if (rdma_get_job_state(rdma) != DOCA_RDMA_STATE_CONNECTED) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "RDMA %p: Failed to submit a job: is not connected", rdma);
    }
    if (rdma_job_list_limit(request->type) == 0) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "RDMA %p: Invalid input: job type %#x", rdma, request->type);
    }
    doca_error_t result = check_list(rdma, request);
    result = result == DOCA_SUCCESS ? make_task(rdma, request, (union doca_data){.ptr = job}, &task) : result;
    if (result != DOCA_SUCCESS) {
        return result;
    }
    job->store_result = store_result;
    job->message.len = request->type == DOCA_RDMA_JOB_ATOMIC_CMP_SWP || request->type == DOCA_RDMA_JOB_ATOMIC_FETCH_ADD
                               ? ATOMIC_LEN
                               : list_data_len(local_buf(request));
    result = core_task_submit(task);
    if (result != DOCA_SUCCESS) {
        core_task_free(task);
    }
    return result;
}
