/* SPDX-License-Identifier: Apache-2.0 */
/* Operations on the memory of another process by RDMA. An operation is one message. */
#include <stdio.h>
#include <string.h>

#include <doca_ctx.h>

#include "bench_case.h"
#include "check.h"
#include "child.h"
#include "rdma_side.h"
#include "submit.h"

/* Receives of the peer for each send in flight, so that senders do not wait for the peer to post one again. */
#define RECEIVES 4

struct messages {
    struct rdma_side side;
    struct child peer;
    struct doca_mmap *remote;
    uint8_t *remote_addr;
    struct doca_task **tasks;
    /* A local buffer, and for some operations a remote one, for each task, in any order. */
    struct doca_buf **bufs;
    uint32_t num_bufs;
    size_t size;
    uint32_t depth;
    uint64_t num_done;
};

/*
 * Callbacks
 */

static void
count(union doca_data ctx_data) {
    ((struct messages *)ctx_data.ptr)->num_done++;
}

static void
wrote(struct doca_rdma_task_write *task, union doca_data task_data, union doca_data ctx_data) {
    (void)task_data;
    CHECK(doca_buf_reset_data_len(doca_rdma_task_write_get_dst_buf(task)));
    count(ctx_data);
}

static void
sent(struct doca_rdma_task_send *task, union doca_data task_data, union doca_data ctx_data) {
    (void)task;
    (void)task_data;
    count(ctx_data);
}

static void
have_read(struct doca_rdma_task_read *task, union doca_data task_data, union doca_data ctx_data) {
    (void)task;
    CHECK(doca_buf_reset_data_len(task_data.ptr));
    count(ctx_data);
}

static void
refuse_write(struct doca_rdma_task_write *task, union doca_data task_data, union doca_data ctx_data) {
    (void)task_data;
    (void)ctx_data;
    fail_call(doca_task_get_status(doca_rdma_task_write_as_task(task)), "a write");
}

static void
refuse_send(struct doca_rdma_task_send *task, union doca_data task_data, union doca_data ctx_data) {
    (void)task_data;
    (void)ctx_data;
    fail_call(doca_task_get_status(doca_rdma_task_send_as_task(task)), "a send");
}

static void
refuse_read(struct doca_rdma_task_read *task, union doca_data task_data, union doca_data ctx_data) {
    (void)task_data;
    (void)ctx_data;
    fail_call(doca_task_get_status(doca_rdma_task_read_as_task(task)), "a read");
}

/*
 * Buffers and tasks
 */

static struct doca_buf *
local_buf(struct messages *messages, uint32_t index, size_t data_len) {
    struct rdma_side *side = &messages->side;
    uint8_t *addr = side->region.addr + index * messages->size;
    struct doca_buf *buf;
    CHECK(doca_buf_inventory_buf_get_by_args(side->inventory, side->region.mmap, addr, messages->size, addr, data_len,
                                             &buf));
    messages->bufs[messages->num_bufs++] = buf;
    return buf;
}

static struct doca_buf *
remote_buf(struct messages *messages, uint32_t index, size_t data_len) {
    uint8_t *addr = messages->remote_addr + index * messages->size;
    struct doca_buf *buf;
    CHECK(doca_buf_inventory_buf_get_by_args(messages->side.inventory, messages->remote, addr, messages->size, addr,
                                             data_len, &buf));
    messages->bufs[messages->num_bufs++] = buf;
    return buf;
}

static struct doca_task *
write_task(struct messages *messages, uint32_t index) {
    struct doca_rdma_task_write *task;
    CHECK(doca_rdma_task_write_allocate_init(messages->side.rdma, messages->side.connection,
                                             local_buf(messages, index, messages->size),
                                             remote_buf(messages, index, 0), (union doca_data){0}, &task));
    return doca_rdma_task_write_as_task(task);
}

static struct doca_task *
send_task(struct messages *messages, uint32_t index) {
    struct doca_rdma_task_send *task;
    CHECK(doca_rdma_task_send_allocate_init(messages->side.rdma, messages->side.connection,
                                            local_buf(messages, index, messages->size), (union doca_data){0}, &task));
    return doca_rdma_task_send_as_task(task);
}

static struct doca_task *
read_task(struct messages *messages, uint32_t index) {
    struct doca_rdma_task_read *task;
    struct doca_buf *target = local_buf(messages, index, 0);
    CHECK(doca_rdma_task_read_allocate_init(messages->side.rdma, messages->side.connection,
                                            remote_buf(messages, index, messages->size), target,
                                            (union doca_data){.ptr = target}, &task));
    return doca_rdma_task_read_as_task(task);
}

/*
 * Life
 */

static void
meet(struct messages *messages, uint32_t num_stretches) {
    static char line[RDMA_MAX_LINE];
    char program[PATH_MAX];
    char size[32];
    char stretches[32];
    uint8_t export[RDMA_MAX_DESCRIPTOR];
    size_t len;

    child_find("doca_bench_rdma_peer", program);
    snprintf(size, sizeof(size), "%zu", messages->size);
    snprintf(stretches, sizeof(stretches), "%u", num_stretches);
    messages->peer = child_start((char *const[]){program, size, stretches, NULL});
    child_read_line(&messages->peer, line, sizeof(line));
    const char *rest = rdma_side_connect(&messages->side, line);
    rest = rdma_read_bytes(rest, export, &len);
    messages->remote_addr = (uint8_t *)(uintptr_t)strtoull(rest, NULL, 10);
    CHECK(doca_mmap_create_from_export(NULL, export, len, messages->side.dev, &messages->remote));
}

static struct messages *
open_messages(size_t size, uint32_t depth, struct doca_task *(*make)(struct messages *, uint32_t)) {
    char *details = NULL;
    size_t len;
    char answer[RDMA_MAX_LINE];
    struct messages *messages = allocate(1, sizeof(*messages));
    struct rdma_side *side = &messages->side;

    messages->size = size;
    messages->depth = depth;
    messages->tasks = allocate(depth, sizeof(*messages->tasks));
    messages->bufs = allocate(2 * (size_t)depth, sizeof(*messages->bufs));
    rdma_side_open(side, size * depth, 2 * depth, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    CHECK(doca_rdma_set_send_queue_size(side->rdma, depth));
    CHECK(doca_rdma_task_write_set_conf(side->rdma, wrote, refuse_write, depth));
    CHECK(doca_rdma_task_send_set_conf(side->rdma, sent, refuse_send, depth));
    CHECK(doca_rdma_task_read_set_conf(side->rdma, have_read, refuse_read, depth));
    CHECK(doca_ctx_set_user_data(doca_rdma_as_ctx(side->rdma), (union doca_data){.ptr = messages}));
    FILE *text = open_memstream(&details, &len);
    rdma_side_start(side, text);
    fclose(text);
    meet(messages, RECEIVES * depth);
    fprintf(messages->peer.input, "%s\n", details);
    fflush(messages->peer.input);
    free(details);
    child_read_line(&messages->peer, answer, sizeof(answer));
    if (strcmp(answer, "connected") != 0) {
        fail("%s", answer);
    }
    for (uint32_t i = 0; i < depth; i++) {
        messages->tasks[i] = make(messages, i);
    }
    return messages;
}

static void *
open_write(size_t size, uint32_t depth) {
    return open_messages(size, depth, write_task);
}

static void *
open_read(size_t size, uint32_t depth) {
    return open_messages(size, depth, read_task);
}

static void *
open_send(size_t size, uint32_t depth) {
    return open_messages(size, depth, send_task);
}

/* Rounds of submitting a full window, and waiting for all of it. */
static uint64_t
run(void *state, uint64_t rounds) {
    struct messages *messages = state;
    const uint32_t last = messages->depth - 1;

    for (uint64_t round = 0; round < rounds; round++) {
        const uint64_t goal = messages->num_done + messages->depth;
        for (uint32_t i = 0; i < last; i++) {
            CHECK(submit_with_flags(messages->tasks[i], DOCA_TASK_SUBMIT_FLAG_NONE));
        }
        CHECK(submit_with_flags(messages->tasks[last], DOCA_TASK_SUBMIT_FLAG_FLUSH));
        while (messages->num_done < goal) {
            (void)doca_pe_progress(messages->side.pe);
        }
    }
    return rounds * messages->depth;
}

static void
close_messages(void *state) {
    struct messages *messages = state;

    for (uint32_t i = 0; i < messages->depth; i++) {
        doca_task_free(messages->tasks[i]);
    }
    for (uint32_t i = 0; i < messages->num_bufs; i++) {
        CHECK(doca_buf_dec_refcount(messages->bufs[i], NULL));
    }
    CHECK(doca_mmap_destroy(messages->remote));
    rdma_side_close(&messages->side);
    child_end(&messages->peer);
    free(messages->bufs);
    free(messages->tasks);
    free(messages);
}

const struct bench_case case_rdma_write = {
    .name = "rdma_write", .open = open_write, .run = run, .close = close_messages};
const struct bench_case case_rdma_read = {.name = "rdma_read", .open = open_read, .run = run, .close = close_messages};
const struct bench_case case_rdma_send = {.name = "rdma_send", .open = open_send, .run = run, .close = close_messages};
