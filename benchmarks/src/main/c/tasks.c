/* SPDX-License-Identifier: Apache-2.0 */
/* task: an operation allocates a task, sets its two buffers, and frees it, without submitting it. */
#include <doca_types.h>

#include "bench_case.h"
#include "check.h"
#include "copies.h"
#include "device.h"

struct tasks {
    struct doca_dev *dev;
    struct region source;
    struct region target;
    /* The loop allocates the tasks, so those of `copies` are freed. */
    struct copies copies;
};

static void *
open_tasks(size_t size, uint32_t depth) {
    struct tasks *tasks = allocate(1, sizeof(*tasks));

    tasks->dev = device_open_chosen();
    tasks->source = region_create(tasks->dev, size * depth, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY);
    tasks->target = region_create(tasks->dev, size * depth, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    copies_open(&tasks->copies, tasks->dev, &tasks->source, &tasks->target, size, depth, COPIES_COUNT);
    copies_free_tasks(&tasks->copies);
    return tasks;
}

static uint64_t
run(void *state, uint64_t rounds) {
    struct tasks *tasks = state;
    struct copies *copies = &tasks->copies;

    for (uint64_t round = 0; round < rounds; round++) {
        for (uint32_t i = 0; i < copies->depth; i++) {
            struct copy *copy = &copies->copies[i];
            struct doca_dma_task_memcpy *task;
            CHECK(doca_dma_task_memcpy_alloc_init(copies->dma, copy->src, copy->dst, (union doca_data){.ptr = copy},
                                                  &task));
            doca_dma_task_memcpy_set_src(task, copy->src);
            doca_dma_task_memcpy_set_dst(task, copy->dst);
            copy->task = doca_dma_task_memcpy_as_task(task);
        }
        copies_free_tasks(copies);
    }
    return rounds * copies->depth;
}

static void
close_tasks(void *state) {
    struct tasks *tasks = state;

    copies_close(&tasks->copies);
    region_destroy(&tasks->target);
    region_destroy(&tasks->source);
    CHECK(doca_dev_close(tasks->dev));
    free(tasks);
}

const struct bench_case case_task = {.name = "task", .open = open_tasks, .run = run, .close = close_tasks};
