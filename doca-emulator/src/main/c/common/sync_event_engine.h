/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine that executes the tasks of a sync event in doca_pe_progress(): tasks that end at once in the order of
 * their submission, and waits when their condition is fulfilled.
 */
#ifndef DOCA_EMULATOR_SYNC_EVENT_ENGINE_H_
#define DOCA_EMULATOR_SYNC_EVENT_ENGINE_H_

#include <stdbool.h>
#include <stdint.h>

#include "ctx.h"
#include "event_value.h"
#include "sync_event_task.h"
#include "task.h"

typedef void (*sync_event_callback_t)(struct sync_event_task *task, union doca_data task_user_data,
                                      union doca_data ctx_user_data);

/* The configuration of one kind of task, by doca_sync_event_task_*_set_conf(). */
struct sync_event_task_conf {
    struct task_pool pool;
    sync_event_callback_t completed;
    sync_event_callback_t failed;
};

struct sync_event_engine {
    struct sync_event_task_conf confs[NUM_SYNC_EVENT_TASK_KINDS];
    /* Set from the start to the end of a run. */
    struct doca_ctx *ctx;
    struct event_value *value;
    struct task_list queued;
    struct task_list waiting;
    /* Completed tasks, to be reported at once or, with faults, after their delay. */
    struct task_list ready;
    struct task_list delayed;
    /* The queue of waits, which are polled in turn. */
    bool waits_next;
    /* See sync_event_engine_break(). */
    bool is_broken;
};

void sync_event_engine_init(struct sync_event_engine *engine);

/* Returns whether tasks of any kind are configured. */
bool sync_event_engine_has_tasks(const struct sync_event_engine *engine);

/* Frees all tasks. */
void sync_event_engine_fini(struct sync_event_engine *engine);

/* The operations of the context. */
void sync_event_engine_start(struct sync_event_engine *engine, struct doca_ctx *ctx, struct event_value *value);
void sync_event_engine_stop(struct sync_event_engine *engine);

/* Fails all tasks in flight, and those submitted later, with IO_FAILED. Returns false if it was called before. */
bool sync_event_engine_break(struct sync_event_engine *engine);
bool sync_event_engine_progress(struct sync_event_engine *engine);
bool sync_event_engine_has_work(struct sync_event_engine *engine);
doca_error_t sync_event_engine_submit(struct sync_event_engine *engine, struct doca_task *task);

#endif /* DOCA_EMULATOR_SYNC_EVENT_ENGINE_H_ */
