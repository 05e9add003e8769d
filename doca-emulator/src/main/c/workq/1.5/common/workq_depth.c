/* SPDX-License-Identifier: Apache-2.0 */
#include "common/sdk_log.h"
#include "workq/common/workq.h"

/* Allowed only without contexts, so no entry of the queue is in use. */
doca_error_t
doca_workq_set_depth(struct doca_workq *workq, uint32_t depth) {
    if (!IS_LIVE(workq_class, workq)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (!LIST_EMPTY(&workq->attachments)) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Workq %p: Failed to set its depth: contexts are attached", workq);
    }
    if (depth == 0 || depth > WORKQ_MAX_DEPTH) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Workq %p: Invalid input: depth %u, must be 1 to %u", workq, depth,
                          WORKQ_MAX_DEPTH);
    }
    return workq_make_places(workq, depth);
}
