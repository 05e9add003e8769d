/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CM_SERVICE_H
#define CM_SERVICE_H

/* The thread that reads the sockets of the connection manager. */

struct cm_id;

/* Starts it, unless it runs, with cm_lock() held. Returns 0 or an errno. */
int cm_start_service(void);

/* Lets it read the socket of an id, which is listening or connected, until that is closed. Returns 0 or an errno. */
int cm_serve(struct cm_id *id);

#endif
