/* SPDX-License-Identifier: Apache-2.0 */
/* Work queues and contexts of the parent in forked children. */
#include "fixture.h"

struct queue_fixture {
    struct dma_fixture dma;
    doca_event_handle_t handle;
    struct doca_buf *src;
    struct doca_buf *dst;
    struct doca_dma_job_memcpy job;
};

/* Starts a context on a queue with events, whose job has completed. */
static struct queue_fixture
complete_job(void) {
    struct queue_fixture queue = {.dma = start_dma(4), .src = take(0, 16, 16), .dst = take(8192, 4096, 0)};
    CHECK_SUCCESS(doca_ctx_workq_rm(queue.dma.ctx, queue.dma.workq));
    REQUIRE_SUCCESS(doca_workq_set_event_driven_enable(queue.dma.workq, 1));
    REQUIRE_SUCCESS(doca_ctx_workq_add(queue.dma.ctx, queue.dma.workq));
    REQUIRE_SUCCESS(doca_workq_get_event_handle(queue.dma.workq, &queue.handle));
    queue.job = copy_job(&queue.dma, queue.src, queue.dst, 1);
    CHECK_SUCCESS(doca_workq_submit(queue.dma.workq, &queue.job.base));
    /* It stays in the queue, as there is no place for its event. */
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, retrieve(queue.dma.workq, NULL));
    return queue;
}

static void
retrieve_job(struct doca_workq *workq) {
    struct doca_event event = {0};
    CHECK_SUCCESS(retrieve(workq, &event));
    CHECK_EQUAL(1, event.user_data.u64);
}

/* Retrieves the event of the last job, and ends everything. */
static void
end_with_job(struct queue_fixture *queue) {
    retrieve_job(queue->dma.workq);
    stop_dma(&queue->dma);
    give_back(queue->src);
    give_back(queue->dst);
}

static void
clear(void *argument) {
    const struct queue_fixture *queue = argument;
    CHECK_SUCCESS(doca_workq_event_handle_clear(queue->dma.workq, queue->handle));
    CHECK(!is_readable(queue->handle, 0));
}

static void
arm(void *argument) {
    const struct queue_fixture *queue = argument;
    CHECK_SUCCESS(doca_workq_event_handle_arm(queue->dma.workq));
    CHECK(is_readable(queue->handle, 0));
}

/* Each process has events of its own, with the same number. */
static void
check_events_of_parent(void) {
    struct queue_fixture queue = complete_job();
    check_in_child(arm, &queue);
    CHECK(!is_readable(queue.handle, 0));
    CHECK_SUCCESS(doca_workq_event_handle_arm(queue.dma.workq));
    CHECK(is_readable(queue.handle, 0));
    check_in_child(clear, &queue);
    CHECK(is_readable(queue.handle, 0));
    clear(&queue);
    end_with_job(&queue);
}

/* Makes a copy on the parent's queue, by a context of its own. */
static void
use_queue(void *argument) {
    struct queue_fixture *queue = argument;
    struct doca_dma_job_memcpy job = queue->job;
    struct doca_event event = {0};
    struct dma_fixture own = start_dma(1);
    doca_event_handle_t handle = doca_event_invalid_handle;
    CHECK_SUCCESS(doca_ctx_workq_add(own.ctx, queue->dma.workq));
    CHECK_SUCCESS(doca_workq_get_event_handle(queue->dma.workq, &handle));
    CHECK_EQUAL(queue->handle, handle);
    job.base.ctx = own.ctx;
    job.base.user_data.u64 = 2;
    CHECK_SUCCESS(doca_workq_event_handle_arm(queue->dma.workq));
    CHECK(!is_readable(handle, 0));
    CHECK_SUCCESS(doca_workq_submit(queue->dma.workq, &job.base));
    CHECK(is_readable(handle, 10000));
    CHECK_SUCCESS(doca_workq_event_handle_clear(queue->dma.workq, handle));
    CHECK_SUCCESS(retrieve(queue->dma.workq, &event));
    CHECK_EQUAL(2, event.user_data.u64);
    CHECK_SUCCESS(doca_ctx_workq_rm(own.ctx, queue->dma.workq));
    stop_dma(&own);
    /* Objects of the parent, which the child can end as well. */
    stop_dma(&queue->dma);
}

static void
check_queue_in_child(void) {
    struct queue_fixture queue = complete_job();
    retrieve_job(queue.dma.workq);
    CHECK_SUCCESS(doca_workq_event_handle_arm(queue.dma.workq));
    check_in_child(use_queue, &queue);
    CHECK(!is_readable(queue.handle, 0));
    CHECK_SUCCESS(doca_workq_submit(queue.dma.workq, &queue.job.base));
    CHECK(is_readable(queue.handle, 10000));
    clear(&queue);
    end_with_job(&queue);
}

/* The parent's context does not work in the child, which can end its copy. */
static void
use_context(void *argument) {
    struct queue_fixture *queue = argument;
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_workq_submit(queue->dma.workq, &queue->job.base));
    stop_dma(&queue->dma);
}

static void
check_context_in_child(void) {
    struct queue_fixture queue = complete_job();
    retrieve_job(queue.dma.workq);
    check_in_child(use_context, &queue);
    CHECK_SUCCESS(doca_workq_submit(queue.dma.workq, &queue.job.base));
    end_with_job(&queue);
}

int
main(void) {
    set_up(DOCA_ACCESS_LOCAL_READ_WRITE);
    check_events_of_parent();
    check_context_in_child();
    check_queue_in_child();
    tear_down();
    return check_result();
}
