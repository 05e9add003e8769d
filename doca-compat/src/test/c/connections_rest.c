/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of the SDK of DOCA 2.5 that no test checks. Each succeeds or returns NULL, and does nothing. */
#include "sdk.h"

#define REST(result, name, parameters) \
    __attribute__((weak)) result rest_of_##name parameters __asm__(#name); \
    result rest_of_##name parameters { \
        return (result)0; \
    }
#define REST_LENGTH(result, name, parameters) \
    __attribute__((weak)) result rest_of_##name parameters __asm__(#name "gth"); \
    result rest_of_##name parameters { \
        return (result)0; \
    }
#define REST_TASK(name, parameters, ...) \
    REST(doca_error_t, doca_rdma_task_##name##_allocate_init, parameters) \
    REST(struct doca_task *, doca_rdma_task_##name##_as_task, (struct doca_rdma_task_##name *task)) \
    REST(doca_error_t, doca_rdma_task_##name##_set_conf, \
         (struct doca_rdma *rdma, doca_rdma_task_##name##_completion_cb_t succeeded, \
          doca_rdma_task_##name##_completion_cb_t failed, uint32_t num_tasks))
#define REST_FIELD(name, field, type) \
    REST(void, doca_rdma_task_##name##_set_##field, (struct doca_rdma_task_##name *task, type value))

SDK_COMMON_FUNCTIONS(REST)
SDK_RDMA_FUNCTIONS(REST)
SDK_LENGTH_FUNCTIONS(REST_LENGTH)
SDK_TASKS(REST_TASK)
SDK_FIELDS(REST_FIELD)
REST(doca_error_t, doca_log_backend_create_with_buffer_sdk,
     (char *buf, size_t capacity, log_flush_callback handler, struct doca_log_backend **backend))
