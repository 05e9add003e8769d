/* SPDX-License-Identifier: Apache-2.0 */
/* The programs and libraries of this process that were linked with libdoca_rdma. */
#ifndef DOCA_EMULATOR_RDMA_PROGRAM_H_
#define DOCA_EMULATOR_RDMA_PROGRAM_H_

#include <doca_error.h>

/*
 * Returns NOT_SUPPORTED, with a record in the log and, once, a line on stderr, if one of them may be of a release before 2.9:
 * it calls doca_rdma_export() and no later function, and was not compiled with the emulator's doca_rdma.h of 3.0. Those
 * releases have functions of the same names with fewer parameters. DOCA_EMULATOR_RELEASE=3.0 disables the check. Functions
 * found by dlsym(3) are not considered.
 */
doca_error_t rdma_check_programs(void);

#endif /* DOCA_EMULATOR_RDMA_PROGRAM_H_ */
