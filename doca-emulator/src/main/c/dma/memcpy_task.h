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
#include "common/task.h"

struct doca_buf;
struct doca_mmap;

/* Bytes of one buffer that are read, or written. */
struct extent {
    struct doca_mmap *mmap;
    uint8_t *addr;
    size_t len;
    struct doca_buf *buf;
};

struct doca_dma_task_memcpy {
    struct doca_task base;
    const struct doca_buf *src;
    struct doca_buf *dst;

    /* The capture: first the extents of the source, then those of the destination, which are as long together. */
    struct extent *extents;
    uint32_t num_src_extents;
    uint32_t num_dst_extents;
    size_t len;
    /* What is wrong with the arguments, or NULL. */
    const char *fault;

    /* Most tasks copy one buffer to another; memory for more is kept from use to use. */
    struct extent pair[2];
    struct extent *list;
    uint32_t list_capacity;

    /* How the copy ended. */
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

/*
 * Captures the buffers, and notes in the task what is wrong with them. INVALID_VALUE when there are none, NO_MEMORY
 * when there is none for the capture.
 */
doca_error_t memcpy_task_capture(struct doca_dma_task_memcpy *task);

/* Counts the task for the faults that are set, and notes in the task what they do to it. */
void memcpy_task_add_faults(struct doca_dma_task_memcpy *task);

/* Notes in the task when the maps do not let the device reach the captured bytes. From any thread. */
void memcpy_task_check_access(struct doca_dma_task_memcpy *task);

/* Copies what was captured and sets the result. From any thread. */
void memcpy_task_run(struct doca_dma_task_memcpy *task);

/* Appends what was copied to the data of the destination. */
void memcpy_task_extend_destination(const struct doca_dma_task_memcpy *task);

/* Writes an error record: what failed, and the fault or else the result as the reason. */
void memcpy_task_log_failure(const struct doca_dma_task_memcpy *task, const char *what);

/* Gives back what the task allocated in all its uses. */
void memcpy_task_dispose(struct doca_dma_task_memcpy *task);

#endif /* DOCA_EMULATOR_MEMCPY_TASK_H_ */
