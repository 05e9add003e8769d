/* SPDX-License-Identifier: Apache-2.0 */
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_log.h>
#include <doca_mmap.h>
#include <doca_pe.h>

#include "not_supported.h"

/* doca_ctx.h */
NOT_SUPPORTED(doca_ctx_profiler_set_max_nranges);
NOT_SUPPORTED(doca_ctx_set_datapath_on_dpa);
NOT_SUPPORTED(doca_ctx_set_datapath_on_gpu);

/* doca_dev.h */
NOT_SUPPORTED(doca_dev_accelerate_resource_reclaim);
NOT_SUPPORTED(doca_devinfo_get_data_direct_pci_dev);
NOT_SUPPORTED(doca_devinfo_rep_get_data_direct_pci_dev);

/* doca_log.h */
RETURNS_ZERO(doca_log_process_msg);
NOT_SUPPORTED(doca_log_set_bg_sampling_period);
NOT_SUPPORTED(doca_log_set_max_aggregated_size);
NOT_SUPPORTED(doca_log_set_max_unaggregated_level);
NOT_SUPPORTED(doca_logger_create_list);
NOT_SUPPORTED(doca_logger_destroy_list);
RETURNS_ZERO(doca_logger_find_by_name);
NOT_SUPPORTED(doca_logger_get_level);
NOT_SUPPORTED(doca_logger_get_name);
NOT_SUPPORTED(doca_logger_set_level);

/* doca_mmap.h */
NOT_SUPPORTED(doca_mmap_cap_get_max_export_access_token_size);
NOT_SUPPORTED(doca_mmap_dev_get_dpa_handle);
NOT_SUPPORTED(doca_mmap_set_dpa_memrange);
NOT_SUPPORTED(doca_mmap_set_export_access_token);

/* doca_pe.h */
DOES_NOTHING(doca_task_batch_free);
RETURNS_ZERO(doca_task_batch_get_ctx);
RETURNS_ZERO(doca_task_batch_get_ctx_user_data);
NOT_SUPPORTED(doca_task_batch_get_status);
RETURNS_ZERO(doca_task_batch_get_tasks_num);
RETURNS_ZERO(doca_task_batch_get_user_data);
DOES_NOTHING(doca_task_batch_set_user_data);
NOT_SUPPORTED(doca_task_batch_submit);
NOT_SUPPORTED(doca_task_batch_try_submit);
