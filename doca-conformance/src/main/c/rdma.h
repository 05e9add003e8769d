/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two connected RDMA contexts of this process, in both generations of the library: up to 2.6 a context has one
 * connection, in later releases connections are objects.
 */
#ifndef CONFORMANCE_RDMA_H_
#define CONFORMANCE_RDMA_H_

#include "fixture.h"

struct side {
    struct doca_rdma *rdma;
    struct doca_ctx *ctx;
    /* NULL if a context has one connection. */
    struct doca_rdma_connection *connection;
    const void *details;
    size_t details_size;
};

extern struct side near_side;
extern struct side far_side;

/* The exported memory as the near side sees it. */
extern struct doca_mmap *remote_map;

/* The permissions of a pair of sides. Set before create_sides(). */
extern uint32_t rdma_permissions;
extern uint32_t map_permissions;
extern uint32_t num_rdma_tasks;
extern uint32_t send_queue_size;

/* Returns whether connections are objects. */
bool has_connections(void);

/* Creates both contexts, idle, configured for all tasks and connected to the engine. Ends the case without RDMA. */
void create_sides(void);

/* Starts a context, which may be STARTING afterwards. */
void start_side(struct side *side);

/* Starts both, and exports their details. */
void start_sides(void);

doca_error_t export_side(struct side *side);
doca_error_t connect_side(struct side *side, const void *details, size_t size);

/* Creates, starts and connects both sides until they are RUNNING. */
void connect_sides(void);

/* Buffers of the exported memory. */
struct doca_buf *remote_source(size_t offset, size_t len);
struct doca_buf *remote_target(size_t offset, size_t len);

/* Allocates a task with a number below 32, under which its end is recorded. */
struct doca_task *receive_task(struct side *side, uint64_t number, struct doca_buf *dst);
struct doca_task *send_task(struct side *side, uint64_t number, const struct doca_buf *src);
struct doca_task *send_imm_task(struct side *side, uint64_t number, const struct doca_buf *src, uint32_t immediate);
struct doca_task *write_task(struct side *side, uint64_t number, const struct doca_buf *src, struct doca_buf *dst);
struct doca_task *write_imm_task(
        struct side *side, uint64_t number, const struct doca_buf *src, struct doca_buf *dst, uint32_t immediate);
struct doca_task *read_task(struct side *side, uint64_t number, const struct doca_buf *src, struct doca_buf *dst);
struct doca_task *add_task(
        struct side *side, uint64_t number, struct doca_buf *dst, struct doca_buf *result, uint64_t add);
struct doca_task *swap_task(struct side *side, uint64_t number, struct doca_buf *dst, struct doca_buf *result,
                            uint64_t expected, uint64_t swap);

/* Return the number of bytes that a receive or a read has received. */
uint32_t received_len(struct doca_task *task);
uint32_t read_len(struct doca_task *task);

/* Submits a task, and ends the case if it is refused. */
void submit(struct doca_task *task);

/* Waits for count callbacks, and appends the results of the tasks by their numbers: "1 done, 2 IO_FAILED". */
void answer_results(size_t count);

/* Appends the states of both sides. */
void answer_states(void);

#endif /* CONFORMANCE_RDMA_H_ */
