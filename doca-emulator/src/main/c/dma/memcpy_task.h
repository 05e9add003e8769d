/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One memory copy. What is to be copied is captured when the task is submitted, so that the program may give its
 * buffers other segments while the task is in flight.
 */
#ifndef DOCA_EMULATOR_MEMCPY_TASK_H_
#define DOCA_EMULATOR_MEMCPY_TASK_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include <doca_dma.h>

#include "common/faults.h"
#include "common/mmap.h"
#include "common/task.h"

struct doca_buf;

/* Bytes of one buffer that are read. */
struct extent {
    struct doca_mmap *mmap;
    uint8_t *addr;
    size_t len;
};

struct doca_dma_task_memcpy {
    struct doca_task base;
    const struct doca_buf *src;
    struct doca_buf *dst;
    /* By which the device reaches the destination: of its map at the time when the destination was set. */
    struct mmap_key dst_key;

    /* The capture: what is read, one extent an element of the source, and where all of it is written. */
    struct extent *extents;
    uint32_t num_extents;
    uint8_t *dst_addr;
    size_t len;
    /* The fault of the task, or NULL, and the element of the source at which it ends the copy. */
    const char *fault;
    uint32_t failed_extent;

    /* Most tasks have one source buffer; memory for more is kept from use to use. */
    struct extent single;
    struct extent *list;
    uint32_t list_capacity;

    /* The result of the copy. */
    doca_error_t result;
    /* Counts the submissions to the context. */
    uint64_t number;
    /* With a worker: among the outstanding, and under the lock of the workers whether the worker is through. */
    TAILQ_ENTRY(doca_dma_task_memcpy) outstanding;
    bool finished;

    /* Faults have been set when the task was submitted: what they do to it. */
    bool faulty;
    struct task_faults faults;
};

TAILQ_HEAD(memcpy_task_list, doca_dma_task_memcpy);

static inline struct doca_dma_task_memcpy *
as_memcpy(struct doca_task *task) {
    return (struct doca_dma_task_memcpy *)task;
}

/* For tasks of which it is not known whether there is one. */
static inline struct doca_task *
as_task(const struct doca_dma_task_memcpy *task) {
    return (struct doca_task *)task;
}

/* Sets the destination, and takes the key of its map. */
void dma_memcpy_task_set_destination(struct doca_dma_task_memcpy *task, struct doca_buf *dst);

/*
 * Captures the buffers, and notes in the task what is wrong with them. INVALID_VALUE when one is missing, the source
 * has too many elements or too many bytes, and, to validate, for what only strict mode refuses; NO_MEMORY when there is
 * none for the capture.
 */
doca_error_t dma_memcpy_task_capture(struct doca_dma_task_memcpy *task, bool validate);

/* Counts the task for the faults that are set, and notes in the task what they do to it. */
void dma_memcpy_task_add_faults(struct doca_dma_task_memcpy *task);

/* Returns whether the copy has failed at an element that others come after. */
bool dma_memcpy_task_fails_early(const struct doca_dma_task_memcpy *task);

/* Copies what was captured and sets the result. By the thread of the program. */
void dma_memcpy_task_run(struct doca_dma_task_memcpy *task);

/* The same by any thread, for which stopping or destroying a map of the task waits. */
void dma_memcpy_task_run_pinned(struct doca_dma_task_memcpy *task);

/* Appends what was copied to the data of the destination. */
void dma_memcpy_task_extend_destination(const struct doca_dma_task_memcpy *task);

/* Writes an error record: what failed, and the fault or else the result as the reason. */
void dma_memcpy_task_log_failure(const struct doca_dma_task_memcpy *task, const char *what);

/* Gives back what the task allocated in all its uses. */
void dma_memcpy_task_dispose(struct doca_dma_task_memcpy *task);

#endif /* DOCA_EMULATOR_MEMCPY_TASK_H_ */
