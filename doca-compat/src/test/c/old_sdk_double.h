/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOCA_COMPAT_OLD_SDK_DOUBLE_H_
#define DOCA_COMPAT_OLD_SDK_DOUBLE_H_

#include "old_sdk.h"

struct old_sdk_double {
    /*
     * Set by the test: whether jobs are held; the number of entries of the queue; the job that fails, counted from its
     * creation, or -1 for none.
     */
    bool held;
    uint32_t places;
    int failing;
    doca_error_t start_result;
    doca_error_t stop_result;
    doca_error_t retrieve_result;
    /* The number of free elements of each pool. */
    uint32_t num_free;
    /* Read by the test. */
    uint32_t depth;
    int num_workqs;
    int num_started;
    int num_submitted;
};

#endif /* DOCA_COMPAT_OLD_SDK_DOUBLE_H_ */
