/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CM_EVENT_H
#define CM_EVENT_H

#include <rdma/rdma_cma.h>
#include <stdbool.h>

#include "message.h"

/* The events of the connection manager, and the channels on which programs get them. */

struct cm_id;

/*
 * Raises an event of an id on its channel, with cm_lock() held: about a connection that another process requested from a
 * listener, or NULL; with the parameters in a message, or NULL. The process ends if there is no memory for it.
 */
void cm_raise(struct cm_id *id, struct cm_id *listener, enum rdma_cm_event_type kind, int status,
              const struct cm_message *message);

/*
 * Removes the events of an id that the program did not get, and calls a function for the id of each request among them. With
 * cm_lock() held.
 */
void cm_withdraw(struct cm_id *id, void (*abandon)(struct cm_id *requester));

/* Returns whether the program got events of an id that it did not acknowledge, with cm_lock() held. */
bool cm_has_unacknowledged(const struct cm_id *id);

/* Waits until the program has acknowledged all events of an id that it got, with cm_lock() held. */
void cm_wait_for_acknowledgements(struct cm_id *id);

#endif
