/* SPDX-License-Identifier: Apache-2.0 */
#include "common/clock.h"
#include "common/pe_timer.h"
#include "common/random.h"
#include "dma/detour.h"
#include "dma/dma.h"

void
dma_detour_init(struct detour *detour) {
    *detour = (struct detour){.order = {.window = 1}};
    TAILQ_INIT(&detour->delayed);
    TAILQ_INIT(&detour->window);
    TAILQ_INIT(&detour->passed);
}

void
dma_detour_leave(struct detour *detour, struct task_list *tasks) {
    TAILQ_CONCAT(tasks, &detour->passed, link);
    TAILQ_CONCAT(tasks, &detour->window, link);
    TAILQ_CONCAT(tasks, &detour->delayed, link);
    detour->window_len = 0;
    detour->open = false;
}

/* Tasks held back for faults that no longer apply pass at once. */
static void
follow_faults(struct detour *detour) {
    if (faults_generation() == detour->order.generation) {
        return;
    }
    TAILQ_CONCAT(&detour->passed, &detour->window, link);
    TAILQ_CONCAT(&detour->passed, &detour->delayed, link);
    detour->window_len = 0;
    detour->order = faults_report_order();
    detour->random = detour->order.seed;
}

/*
 * Delays
 */

static bool
is_due(const struct detour *detour, const struct doca_dma_task_memcpy *task, uint64_t now) {
    return !task->faulty || task->faults.due <= now || task->faults.generation != detour->order.generation;
}

static void
delay(struct detour *detour, struct doca_dma_task_memcpy *task) {
    struct doca_task *before = TAILQ_LAST(&detour->delayed, task_list);
    while (before != NULL && as_memcpy(before)->faults.due > task->faults.due) {
        before = TAILQ_PREV(before, task_list, link);
    }
    if (before == NULL) {
        TAILQ_INSERT_HEAD(&detour->delayed, &task->base, link);
    } else {
        TAILQ_INSERT_AFTER(&detour->delayed, before, &task->base, link);
    }
}

static struct doca_dma_task_memcpy *
next_due(struct doca_dma *dma, uint64_t now) {
    struct detour *detour = &dma->detour;
    struct doca_dma_task_memcpy *task = as_memcpy(TAILQ_FIRST(&detour->delayed));

    if (task != NULL && is_due(detour, task, now)) {
        TAILQ_REMOVE(&detour->delayed, &task->base, link);
        return task;
    }
    task = dma_next_executed(dma);
    while (task != NULL && !is_due(detour, task, now)) {
        delay(detour, task);
        task = dma_next_executed(dma);
    }
    return task;
}

/*
 * Order
 */

static bool
expects_more(struct doca_dma *dma) {
    return !TAILQ_EMPTY(&dma->detour.delayed) || dma_is_executing(dma);
}

static void
pass(struct detour *detour, uint32_t index) {
    struct doca_task *task = TAILQ_FIRST(&detour->window);
    for (uint32_t i = 0; i < index; i++) {
        task = TAILQ_NEXT(task, link);
    }
    TAILQ_REMOVE(&detour->window, task, link);
    detour->window_len--;
    TAILQ_INSERT_TAIL(&detour->passed, task, link);
}

/* Ensures a changed order for any random numbers: the first task is not reported first. */
static void
shuffle(struct detour *detour) {
    if (detour->window_len > 1) {
        pass(detour, 1 + random_below(&detour->random, detour->window_len - 1));
    }
    while (detour->window_len > 0) {
        pass(detour, random_below(&detour->random, detour->window_len));
    }
}

/* Fills the window, and releases it when it is full or no more tasks can follow. */
static void
fill_window(struct doca_dma *dma) {
    struct detour *detour = &dma->detour;
    const uint32_t size = dma->ordered ? 1 : detour->order.window;
    const uint64_t now = clock_now();

    while (detour->window_len < size) {
        struct doca_dma_task_memcpy *task = next_due(dma, now);
        if (task == NULL) {
            break;
        }
        TAILQ_INSERT_TAIL(&detour->window, &task->base, link);
        detour->window_len++;
    }
    if (dma->ordered) {
        TAILQ_CONCAT(&detour->passed, &detour->window, link);
        detour->window_len = 0;
    } else if (detour->window_len >= size || !expects_more(dma)) {
        shuffle(detour);
    }
}

/*
 * For the engine
 */

struct doca_dma_task_memcpy *
dma_detour_next(struct doca_dma *dma) {
    struct detour *detour = &dma->detour;

    follow_faults(detour);
    if (TAILQ_EMPTY(&detour->passed)) {
        fill_window(dma);
    }
    struct doca_task *first = TAILQ_FIRST(&detour->passed);
    if (first != NULL) {
        TAILQ_REMOVE(&detour->passed, first, link);
    } else if (!faults_are_set() && detour->window_len == 0 && TAILQ_EMPTY(&detour->delayed)) {
        detour->open = false;
    }
    return as_memcpy(first);
}

bool
dma_detour_has_work(struct doca_dma *dma) {
    struct detour *detour = &dma->detour;
    const struct doca_dma_task_memcpy *first = as_memcpy(TAILQ_FIRST(&detour->delayed));

    if (first != NULL) {
        /* Set before the faults are read, so that a change of the faults is not missed. */
        pe_timer_set(dma->ctx.queue, first->faults.due);
        if (is_due(detour, first, clock_now()) || faults_generation() != detour->order.generation) {
            return true;
        }
    }
    return !TAILQ_EMPTY(&detour->passed) || (detour->window_len > 0 && !expects_more(dma));
}
