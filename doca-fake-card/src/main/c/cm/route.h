/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CM_ROUTE_H
#define CM_ROUTE_H

#include "id.h"
#include "lookup.h"

/* The addresses of ids, and the paths between them. */

void cm_set_address(struct sockaddr_storage *storage, const struct sockaddr *address);

/* Gives an id the port of an address of this machine, with cm_lock() held. */
void cm_set_id_port(struct cm_id *id, const struct cm_port *port);

/* Describes the path of an id to the other side, which is on this machine as well, with cm_lock() held. */
void cm_set_path(struct cm_id *id, const union ibv_gid *destination);

#endif
