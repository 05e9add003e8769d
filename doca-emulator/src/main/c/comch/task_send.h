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
    /* The connection as it was when the task was allocated; there may be another one in its memory now. */
    struct doca_comch_connection *connection;
    uint64_t connection_id;
    /* The program's, read when the task is submitted. */
    const void *message;
    uint32_t len;
    /* What was read, while the socket has no room for it; or NULL. */
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

/* As the operation of a context. */
doca_error_t comch_task_send_submit(struct doca_task *task, bool validate);

/* It has ended, and is reported in its turn. */
void comch_task_send_finish(struct doca_comch_task_send *task, doca_error_t result);

/* Tells the program of the first of those that have ended; false when there is none. */
bool comch_task_send_report(struct endpoint *endpoint);

#endif /* DOCA_EMULATOR_COMCH_TASK_SEND_H_ */
