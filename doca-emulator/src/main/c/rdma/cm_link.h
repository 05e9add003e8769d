/* SPDX-License-Identifier: Apache-2.0 */
/* The states of a connection by address. */
#ifndef DOCA_EMULATOR_CM_LINK_H_
#define DOCA_EMULATOR_CM_LINK_H_

#include "rdma/cm.h"

/* For a client that has connected to the address. */
void rdma_cm_link_greet(struct doca_rdma *rdma, int fd, const struct cm_address *address);

/* A client asks at the address; what becomes of it is told by callbacks. FULL, NO_MEMORY. */
doca_error_t rdma_cm_link_ask(struct doca_rdma *rdma, struct doca_rdma_addr *addr, union doca_data user_data);

/* The answers to what a client asks. CONNECTION_ABORTED when it cannot be connected with; it fails then. */
doca_error_t rdma_cm_link_accept(struct cm_link *link, const void *private_data, uint8_t private_data_size);
void rdma_cm_link_reject(struct cm_link *link);

/* Takes in what the other side has sent, or that it has closed. */
void rdma_cm_link_receive(struct cm_link *link);

/* There is no use in waiting for the other side any more. */
void rdma_cm_link_give_up(struct cm_link *link, const char *reason);

/* Closes for good, so that the other side notices, and says nothing to the program. */
void rdma_cm_link_shut(struct cm_link *link);

/* Also the connection and, if it is the link's, the address object. */
void rdma_cm_link_destroy(struct cm_link *link);

/* The program is being told that it has failed, or would have been: it is destroyed after that. */
static inline bool
cm_link_is_failing(const struct cm_link *link) {
    return link->state == CM_LINK_FAILED && !link->is_to_be_reported;
}

#endif /* DOCA_EMULATOR_CM_LINK_H_ */
