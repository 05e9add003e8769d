/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What most cases of release 2.2 begin with: a device, mapped memory, buffers, contexts and work queues. What cannot be
 * had ends the case.
 */
#ifndef CONFORMANCE_WORKQ_FIXTURE_H_
#define CONFORMANCE_WORKQ_FIXTURE_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../answer.h"
#include "../rule.h"
#include "../sdk.h"
#include "sdk_functions.h"

/* Adds what a call returns to the answer. */
#define CODE(call) answer_code(call)

#define MEMORY_SIZE ((size_t)1 << 20)

extern uint8_t memory[MEMORY_SIZE];
extern struct doca_dev *dev;
extern struct doca_mmap *map;
extern struct doca_buf_inventory *inventory;

/* Opens the first device with DMA. */
void open_device(void);

/* Its information; opens it if need be. */
struct doca_devinfo *devinfo(void);

/* Maps the memory for local accesses and RDMA, and takes an inventory of 512 buffers. Fills the memory. */
void map_memory(void);

/* A map that has the device and this range, not started. */
struct doca_mmap *configure_map(void *addr, size_t len, uint32_t permissions);
struct doca_mmap *start_map(void *addr, size_t len, uint32_t permissions);

/* A buffer of the mapped memory whose data is all of it, or that is empty. */
struct doca_buf *source(size_t offset, size_t len);
struct doca_buf *target(size_t offset, size_t len);

/* A buffer of any map. */
struct doca_buf *take(struct doca_mmap *mmap, void *addr, size_t len, size_t data_len);

/* A list of that many sources, of len bytes each, the next one right behind. Returns its head. */
struct doca_buf *source_list(size_t count, size_t offset, size_t len);

size_t data_len(const struct doca_buf *buf);

/* The 64 byte blocks of the memory differ, so a copy that goes elsewhere is seen. True if the two ranges are equal. */
bool is_copied(size_t from, size_t to, size_t len);

/* The same after at most 3 s, without retrieving. */
bool becomes_copied(size_t from, size_t to, size_t len);

struct doca_workq *create_workq(uint32_t depth);

/* A DMA context with the device, not started; the memory is mapped. */
struct doca_dma *configure_dma(void);

/* A DMA context that has been started. */
struct doca_ctx *start_dma(void);

/* The same, attached to a queue. */
struct doca_ctx *attach_dma(struct doca_workq *workq);

struct doca_dma_job_memcpy copy_job(struct doca_ctx *ctx, uint64_t number, struct doca_buf *src, struct doca_buf *dst);

doca_error_t submit_copy(struct doca_workq *workq, struct doca_ctx *ctx, uint64_t number, struct doca_buf *src,
                         struct doca_buf *dst);

/* Copies 64 bytes, from block number to block 1000 + number. */
doca_error_t submit_block(struct doca_workq *workq, struct doca_ctx *ctx, uint64_t number);

/* A copy that fails on the device: its source has no data. */
doca_error_t submit_failing(struct doca_workq *workq, struct doca_ctx *ctx, uint64_t number);

/* Retrieves until there is an event, at most 3 s: AGAIN then. */
doca_error_t retrieve(struct doca_workq *workq, struct doca_event *event);

/* Retrieves so many events and adds each to the answer: "1 SUCCESS", or "1 IO_FAILED 1" with the result. */
void answer_events(struct doca_workq *workq, unsigned count);

/* Retrieves for 100 ms. Returns true if there is an event. */
bool has_event(struct doca_workq *workq);

/* True if the descriptor becomes readable within the time. */
bool is_signalled(int descriptor, unsigned milliseconds);

#endif /* CONFORMANCE_WORKQ_FIXTURE_H_ */
