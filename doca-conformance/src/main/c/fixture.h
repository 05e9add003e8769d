/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The common fixture of most cases: a device, mapped memory, buffers, a progress engine and DMA contexts. The case
 * ends if one of them is not available. Callbacks are recorded in their order.
 */
#ifndef CONFORMANCE_FIXTURE_H_
#define CONFORMANCE_FIXTURE_H_

#include "base_fixture.h"

extern struct doca_pe *pe;

/* Returns the information of the device, and opens the device if necessary. */
const struct doca_devinfo *devinfo(void);

/* Maps the memory for local reads and writes, and takes an inventory of 512 buffers. Fills the memory. */
void map_memory(void);

/* The same with other permissions. */
void map_memory_for(uint32_t permissions);

struct doca_buf_inventory *start_inventory(size_t num_elements);

/* Take a buffer of the mapped memory, full of data or empty. */
struct doca_buf *source(size_t offset, size_t len);
struct doca_buf *target(size_t offset, size_t len);

/* The same for any map. */
struct doca_buf *source_of(struct doca_mmap *mmap, void *addr, size_t len);
struct doca_buf *target_of(struct doca_mmap *mmap, void *addr, size_t len);

/* Takes a list of count sources of len bytes each, at intervals of stride bytes. Returns its head. */
struct doca_buf *source_list(size_t count, size_t offset, size_t len, size_t stride);

void create_engine(void);

/* Creates an idle DMA context with recorded callbacks and the user data 7, connected to the engine; maps the memory. */
struct doca_dma *configure_dma(uint32_t num_tasks);

/* The same, running, with no callback recorded yet. */
struct doca_dma *start_dma(uint32_t num_tasks);

struct doca_ctx *ctx_of(struct doca_dma *dma);
const char *state_of(const struct doca_ctx *ctx);
size_t inflight(const struct doca_ctx *ctx);

/* Allocates a task whose completion is recorded by its number. */
struct doca_dma_task_memcpy *copy_task(
        struct doca_dma *dma, uint64_t number, struct doca_buf *src, struct doca_buf *dst);
struct doca_task *as_task(struct doca_dma_task_memcpy *task);

/* Submits a copy and returns the result. */
doca_error_t submit_copy(struct doca_dma_task_memcpy *task);

/* Allocates a task that copies 64 bytes, from block number to block 1000 + number. */
struct doca_dma_task_memcpy *block_task(struct doca_dma *dma, uint64_t number);

/* Allocates a task that fails on the device, because its source has no data. */
struct doca_dma_task_memcpy *failing_task(struct doca_dma *dma, uint64_t number);

/* Records: "done 1", "failed 2 IO_FAILED", "to STOPPING", or a text of the case. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void forget_notes(void);
void answer_notes(void);

/* The number of task callbacks so far. */
extern size_t num_completions;

/* Called in task callbacks, after they are recorded; or NULL. */
extern void (*on_task)(struct doca_task *task, uint64_t number);
extern void (*on_state)(struct doca_ctx *ctx, enum doca_ctx_states next);

/* Records and counts the callback of a task of another library. */
void note_task(struct doca_task *task, uint64_t number, bool done);
void note_state(const union doca_data user_data, struct doca_ctx *ctx, enum doca_ctx_states previous,
                enum doca_ctx_states next);

/*
 * Progresses until this many task callbacks were called. Returns false after a time limit of 3 s, or when nothing was
 * in flight for some time.
 */
bool progress_to(size_t completions);

/* Progresses until a context has the state, with the limits of progress_to(). */
bool progress_to_state(struct doca_ctx *ctx, enum doca_ctx_states state);

/* Progresses until a condition holds, or the time limit. */
bool progress_until(bool (*condition)(void));

/* Progresses for this time. Returns the number of calls that handled an event. */
unsigned progress_for(unsigned milliseconds);

/* Waits, without progressing. */
void pause_for(unsigned milliseconds);

/* Returns the notification handle of the engine. */
int notification_handle(void);

/* Returns whether the descriptor becomes readable within the time. */
bool is_signalled(int descriptor, unsigned milliseconds);

static inline union doca_data
data_of(uint64_t number) {
    return (union doca_data){.u64 = number};
}

#endif /* CONFORMANCE_FIXTURE_H_ */
