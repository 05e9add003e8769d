/* SPDX-License-Identifier: Apache-2.0 */
/* The programs and libraries of this process that were linked with libdoca_rdma. */
#ifndef DOCA_EMULATOR_RDMA_PROGRAM_H_
#define DOCA_EMULATOR_RDMA_PROGRAM_H_

#include <doca_error.h>

/*
 * Returns NOT_SUPPORTED, with a record in the log, if one of them may be of a release before 2.9, which has functions of the same
 * names with fewer parameters: it calls doca_rdma_export(), and nothing that came later. DOCA_EMULATOR_RELEASE=3.0 says that
 * there is no such one. Functions that are found by dlsym(3) are not looked at.
 */
doca_error_t rdma_check_programs(void);

#endif /* DOCA_EMULATOR_RDMA_PROGRAM_H_ */
