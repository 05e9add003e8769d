/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOCA_EMULATOR_RDMA_USERS_H_
#define DOCA_EMULATOR_RDMA_USERS_H_

/* As if the peers of all connections began (1) or ended (-1) an operation. Returns 0, or 1 if something was unexpected. */
int change_users(int number);

#endif /* DOCA_EMULATOR_RDMA_USERS_H_ */
