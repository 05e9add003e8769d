/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CM_CONNECTION_H
#define CM_CONNECTION_H

#include "id.h"

/* The connections of ids: requests, answers and ends. */

/* Handle what a socket reports: a new connection, a message or its end. With cm_lock() held. */
void cm_take_connection(struct cm_id *listener);
void cm_take_message(struct cm_id *id);

#endif
