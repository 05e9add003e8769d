/* SPDX-License-Identifier: Apache-2.0 */
/* The states of a connection by address. */
#ifndef DOCA_EMULATOR_CM_LINK_H_
#define DOCA_EMULATOR_CM_LINK_H_

#include "rdma/cm.h"

/* Creates the link of a client that has connected to the address. */
void rdma_cm_link_greet(struct doca_rdma *rdma, int fd, const struct cm_address *address);

/*
 * Creates the link of a client, whose request the next progress sends. Callbacks report the result. Returns FULL or
 * NO_MEMORY on failure.
 */
doca_error_t rdma_cm_link_ask(struct doca_rdma *rdma, struct doca_rdma_addr *addr, union doca_data user_data);

/* Sends the request of a resolving link. */
void rdma_cm_link_dial(struct cm_link *link);

/* Drops the report or the resolution of a link: the program will not be notified, or the request will not be sent. */
void rdma_cm_link_stall(struct cm_link *link);

/* Discards the next message of the other side, or its end. */
void rdma_cm_link_ignore(struct cm_link *link);

/* Answer the request of a client. If the client cannot be connected to, the link fails with CONNECTION_ABORTED. */
doca_error_t rdma_cm_link_accept(struct cm_link *link, const void *private_data, uint8_t private_data_size);
void rdma_cm_link_reject(struct cm_link *link);

/* Handles a message of the other side, or its end. */
void rdma_cm_link_receive(struct cm_link *link);

/* Ends the connection without the other side. A link that was not established fails for the reason. */
void rdma_cm_link_abort(struct cm_link *link, const char *reason);

/* Closes the link without notifying the program. The other side notices it. */
void rdma_cm_link_shut(struct cm_link *link);

/* Frees the link, its connection and, if the link owns it, the address object. */
void rdma_cm_link_destroy(struct cm_link *link);

/* Returns whether it has failed without a need to notify the program, so it can be destroyed. */
static inline bool
cm_link_is_failing(const struct cm_link *link) {
    return link->state == CM_LINK_FAILED && !link->is_to_be_reported;
}

#endif /* DOCA_EMULATOR_CM_LINK_H_ */
