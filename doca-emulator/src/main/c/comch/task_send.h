/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks that send a message.
 */
#ifndef DOCA_EMULATOR_COMCH_TASK_SEND_H_
#define DOCA_EMULATOR_COMCH_TASK_SEND_H_

#include <stdbool.h>
#include <stdint.h>

#include <doca_comch.h>

#include "comch/connection.h"
#include "comch/endpoint.h"
#include "common/task.h"

struct doca_comch_task_send {
    struct doca_task base;
    /* The id of the connection when the task was allocated; its memory may be reused for another one. */
    struct doca_comch_connection *connection;
    uint64_t connection_id;
    /* The program's memory, read when the task is submitted. */
    const void *message;
    uint32_t len;
    /* A copy of the message while it waits for room; or NULL. */
    uint8_t *copy;
    doca_error_t result;
};

static inline struct doca_comch_task_send *
as_send(struct doca_task *task) {
    return (struct doca_comch_task_send *)task;
}

doca_error_t comch_task_send_set_conf(struct endpoint *endpoint, doca_comch_task_send_completion_cb_t completed,
                                      doca_comch_task_send_completion_cb_t failed, uint32_t num_tasks);

doca_error_t comch_task_send_alloc(struct endpoint *endpoint, struct doca_comch_connection *connection,
                                   const void *message, uint32_t len, struct doca_comch_task_send **task);

/* The submit operation of a context. */
doca_error_t comch_task_send_submit(struct doca_task *task, bool validate);

/* Marks the task as ended; it is reported after the tasks that ended before. */
void comch_task_send_finish(struct doca_comch_task_send *task, doca_error_t result);

/* Reports the first completed task to the program. Returns false if there is none. */
bool comch_task_send_report(struct endpoint *endpoint);

#endif /* DOCA_EMULATOR_COMCH_TASK_SEND_H_ */
