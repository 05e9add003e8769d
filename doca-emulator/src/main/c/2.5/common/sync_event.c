/* SPDX-License-Identifier: Apache-2.0 */
#include <doca_sync_event.h>

#include "2.5/front.h"
#include "common/sync_event_task.h"

/* Allocates a task that waits for an equal value, and changes its condition. */
FUNCTION_2_5(doca_sync_event_task_wait_gt_alloc_init,
             (struct doca_sync_event *event, uint64_t wait_val, uint64_t mask, union doca_data user_data,
              struct doca_sync_event_task_wait_eq **task)) {
    const doca_error_t result = doca_sync_event_task_wait_eq_alloc_init(event, wait_val, mask, user_data, task);
    if (result == DOCA_SUCCESS) {
        sync_event_task_make_greater(doca_sync_event_task_wait_eq_as_doca_task(*task));
    }
    return result;
}
