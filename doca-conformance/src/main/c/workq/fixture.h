/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The common fixture of most cases of release 2.2: a device, mapped memory, buffers, contexts and work queues. The
 * case ends if one of them is not available.
 */
#ifndef CONFORMANCE_WORKQ_FIXTURE_H_
#define CONFORMANCE_WORKQ_FIXTURE_H_

#include "../base_fixture.h"

/* Returns the information of the device, and opens the device if necessary. */
struct doca_devinfo *devinfo(void);

/* Maps the memory for local accesses and RDMA, and takes an inventory of 512 buffers. Fills the memory. */
void map_memory(void);

/* Take a buffer of the mapped memory, full of data or empty. */
struct doca_buf *source(size_t offset, size_t len);
struct doca_buf *target(size_t offset, size_t len);

/* Takes a buffer of any map. */
struct doca_buf *take(struct doca_mmap *mmap, void *addr, size_t len, size_t data_len);

/* Takes a list of count adjacent sources of len bytes each. Returns its head. */
struct doca_buf *source_list(size_t count, size_t offset, size_t len);

/* Returns whether is_copied() becomes true within 3 s, without retrieving. */
bool becomes_copied(size_t from, size_t to, size_t len);

struct doca_workq *create_workq(uint32_t depth);

/* Creates a DMA context with the device, not started; maps the memory. */
struct doca_dma *configure_dma(void);

/* Creates and starts a DMA context. */
struct doca_ctx *start_dma(void);

/* The same, attached to a queue. */
struct doca_ctx *attach_dma(struct doca_workq *workq);

struct doca_dma_job_memcpy copy_job(struct doca_ctx *ctx, uint64_t number, struct doca_buf *src, struct doca_buf *dst);

doca_error_t submit_copy(struct doca_workq *workq, struct doca_ctx *ctx, uint64_t number, struct doca_buf *src,
                         struct doca_buf *dst);

/* Copies 64 bytes, from block number to block 1000 + number. */
doca_error_t submit_block(struct doca_workq *workq, struct doca_ctx *ctx, uint64_t number);

/* Submits a copy that fails on the device, because its source has no data. */
doca_error_t submit_failing(struct doca_workq *workq, struct doca_ctx *ctx, uint64_t number);

/* Retrieves until there is an event; AGAIN after 3 s. */
doca_error_t retrieve(struct doca_workq *workq, struct doca_event *event);

/* Retrieves count events and appends each to the answer: "1 SUCCESS", or "1 IO_FAILED 1" with the result. */
void answer_events(struct doca_workq *workq, unsigned count);

/* Retrieves for 100 ms. Returns whether there is an event. */
bool has_event(struct doca_workq *workq);

/* Returns whether the descriptor becomes readable within the time. */
bool is_signalled(int descriptor, unsigned milliseconds);

#endif /* CONFORMANCE_WORKQ_FIXTURE_H_ */
