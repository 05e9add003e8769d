/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The types of release 2.5 as in its SDK: the parameters and results of each function, and the values of constants.
 * The compiler checks all of it.
 */
#include <doca_buf.h>
#include <doca_buf_array.h>
#include <doca_buf_inventory.h>
#include <doca_buf_pool.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_dma.h>
#include <doca_error.h>
#include <doca_graph.h>
#include <doca_log.h>
#include <doca_mmap.h>
#include <doca_pe.h>
#include <doca_rdma.h>
#include <doca_rdma_bridge.h>
#include <doca_sync_event.h>
#include <doca_version.h>

#include <stdbool.h>
#include <stdlib.h>

#define FUNCTION(type, function, ...) \
    _Static_assert(__builtin_types_compatible_p(__typeof__(function), type(__VA_ARGS__)), "type of " #function)
#define TYPE(name, type) _Static_assert(__builtin_types_compatible_p(__typeof__(name), type), "type " #name)
#define VALUE(constant, value) _Static_assert((constant) == (value), #constant)

TYPE(doca_ctx_state_changed_callback_t, void (*)(const union doca_data, struct doca_ctx *, enum doca_ctx_states, enum doca_ctx_states));
TYPE(doca_dma_task_memcpy_completion_cb_t, void (*)(struct doca_dma_task_memcpy *, union doca_data, union doca_data));
TYPE(doca_error_t, enum doca_error);
TYPE(doca_graph_completion_cb_t, void (*)(struct doca_graph_instance *, union doca_data, union doca_data));
TYPE(doca_graph_user_node_cb_t, doca_error_t (*)(void *));
TYPE(log_flush_callback, void (*)(char *));
TYPE(doca_mmap_memrange_free_cb_t, void(void *, size_t, void *));
TYPE(doca_task_completion_cb_t, void (*)(struct doca_task *, union doca_data, union doca_data));
TYPE(doca_rdma_task_atomic_cmp_swp_completion_cb_t, void (*)(struct doca_rdma_task_atomic_cmp_swp *, union doca_data, union doca_data));
TYPE(doca_rdma_task_atomic_fetch_add_completion_cb_t, void (*)(struct doca_rdma_task_atomic_fetch_add *, union doca_data, union doca_data));
TYPE(doca_rdma_task_read_completion_cb_t, void (*)(struct doca_rdma_task_read *, union doca_data, union doca_data));
TYPE(doca_rdma_task_receive_completion_cb_t, void (*)(struct doca_rdma_task_receive *, union doca_data, union doca_data));
TYPE(doca_rdma_task_remote_net_sync_event_get_completion_cb_t, void (*)(struct doca_rdma_task_remote_net_sync_event_get *, union doca_data, union doca_data));
TYPE(doca_rdma_task_remote_net_sync_event_notify_add_completion_cb_t, void (*)(struct doca_rdma_task_remote_net_sync_event_notify_add *, union doca_data, union doca_data));
TYPE(doca_rdma_task_remote_net_sync_event_notify_set_completion_cb_t, void (*)(struct doca_rdma_task_remote_net_sync_event_notify_set *, union doca_data, union doca_data));
TYPE(doca_rdma_task_send_completion_cb_t, void (*)(struct doca_rdma_task_send *, union doca_data, union doca_data));
TYPE(doca_rdma_task_send_imm_completion_cb_t, void (*)(struct doca_rdma_task_send_imm *, union doca_data, union doca_data));
TYPE(doca_rdma_task_write_completion_cb_t, void (*)(struct doca_rdma_task_write *, union doca_data, union doca_data));
TYPE(doca_rdma_task_write_imm_completion_cb_t, void (*)(struct doca_rdma_task_write_imm *, union doca_data, union doca_data));
TYPE(doca_dpa_dev_sync_event_remote_net_t, uint64_t);
TYPE(doca_dpa_dev_sync_event_t, uint64_t);
TYPE(doca_gpu_dev_sync_event_remote_net_t, uint64_t);
TYPE(doca_gpu_dev_sync_event_t, uint64_t);
TYPE(doca_sync_event_task_get_completion_cb_t, void (*)(struct doca_sync_event_task_get *, union doca_data, union doca_data));
TYPE(doca_sync_event_task_notify_add_completion_cb_t, void (*)(struct doca_sync_event_task_notify_add *, union doca_data, union doca_data));
TYPE(doca_sync_event_task_notify_set_completion_cb_t, void (*)(struct doca_sync_event_task_notify_set *, union doca_data, union doca_data));
TYPE(doca_sync_event_task_wait_gt_completion_cb_t, void (*)(struct doca_sync_event_task_wait_gt *, union doca_data, union doca_data));
TYPE(doca_be16_t, __be16);
TYPE(doca_be32_t, __be32);
TYPE(doca_be64_t, __be64);
TYPE(doca_event_handle_t, int);
TYPE(doca_notification_handle_t, doca_event_handle_t);

VALUE(DOCA_ACCESS_FLAG_LOCAL_READ_ONLY, 0);
VALUE(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, 1);
VALUE(DOCA_ACCESS_FLAG_RDMA_READ, 2);
VALUE(DOCA_ACCESS_FLAG_RDMA_WRITE, 4);
VALUE(DOCA_ACCESS_FLAG_RDMA_ATOMIC, 8);
VALUE(DOCA_ACCESS_FLAG_PCI_READ_ONLY, 16);
VALUE(DOCA_ACCESS_FLAG_PCI_READ_WRITE, 32);
VALUE(DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING, 64);
VALUE(DOCA_PCI_FUNC_TYPE_PF, 0);
VALUE(DOCA_PCI_FUNC_TYPE_VF, 1);
VALUE(DOCA_PCI_FUNC_TYPE_SF, 2);
VALUE(DOCA_GPU_MEM_TYPE_GPU, 0);
VALUE(DOCA_GPU_MEM_TYPE_GPU_CPU, 1);
VALUE(DOCA_GPU_MEM_TYPE_CPU_GPU, 2);
VALUE(DOCA_ETH_WAIT_ON_TIME_TYPE_NONE, 0);
VALUE(DOCA_ETH_WAIT_ON_TIME_TYPE_NATIVE, 1);
VALUE(DOCA_ETH_WAIT_ON_TIME_TYPE_DPDK, 2);
VALUE(DOCA_MTU_SIZE_256_BYTES, 0);
VALUE(DOCA_MTU_SIZE_512_BYTES, 1);
VALUE(DOCA_MTU_SIZE_1K_BYTES, 2);
VALUE(DOCA_MTU_SIZE_2K_BYTES, 3);
VALUE(DOCA_MTU_SIZE_4K_BYTES, 4);
VALUE(DOCA_MTU_SIZE_RAW_ETHERNET, 5);
VALUE(DOCA_SUCCESS, 0);
VALUE(DOCA_ERROR_UNKNOWN, 1);
VALUE(DOCA_ERROR_NOT_PERMITTED, 2);
VALUE(DOCA_ERROR_IN_USE, 3);
VALUE(DOCA_ERROR_NOT_SUPPORTED, 4);
VALUE(DOCA_ERROR_AGAIN, 5);
VALUE(DOCA_ERROR_INVALID_VALUE, 6);
VALUE(DOCA_ERROR_NO_MEMORY, 7);
VALUE(DOCA_ERROR_INITIALIZATION, 8);
VALUE(DOCA_ERROR_TIME_OUT, 9);
VALUE(DOCA_ERROR_SHUTDOWN, 10);
VALUE(DOCA_ERROR_CONNECTION_RESET, 11);
VALUE(DOCA_ERROR_CONNECTION_ABORTED, 12);
VALUE(DOCA_ERROR_CONNECTION_INPROGRESS, 13);
VALUE(DOCA_ERROR_NOT_CONNECTED, 14);
VALUE(DOCA_ERROR_NO_LOCK, 15);
VALUE(DOCA_ERROR_NOT_FOUND, 16);
VALUE(DOCA_ERROR_IO_FAILED, 17);
VALUE(DOCA_ERROR_BAD_STATE, 18);
VALUE(DOCA_ERROR_UNSUPPORTED_VERSION, 19);
VALUE(DOCA_ERROR_OPERATING_SYSTEM, 20);
VALUE(DOCA_ERROR_DRIVER, 21);
VALUE(DOCA_ERROR_UNEXPECTED, 22);
VALUE(DOCA_ERROR_ALREADY_EXIST, 23);
VALUE(DOCA_ERROR_FULL, 24);
VALUE(DOCA_ERROR_EMPTY, 25);
VALUE(DOCA_ERROR_IN_PROGRESS, 26);
VALUE(DOCA_ERROR_TOO_BIG, 27);
VALUE(DOCA_DEVINFO_REP_FILTER_ALL, 0);
VALUE(DOCA_DEVINFO_REP_FILTER_NET, 2);
VALUE(DOCA_DEVINFO_REP_FILTER_EMULATED, 4);
VALUE(DOCA_CTX_STATE_IDLE, 0);
VALUE(DOCA_CTX_STATE_STARTING, 1);
VALUE(DOCA_CTX_STATE_RUNNING, 2);
VALUE(DOCA_CTX_STATE_STOPPING, 3);
VALUE(DOCA_LOG_LEVEL_DISABLE, 10);
VALUE(DOCA_LOG_LEVEL_CRIT, 20);
VALUE(DOCA_LOG_LEVEL_ERROR, 30);
VALUE(DOCA_LOG_LEVEL_WARNING, 40);
VALUE(DOCA_LOG_LEVEL_INFO, 50);
VALUE(DOCA_LOG_LEVEL_DEBUG, 60);
VALUE(DOCA_LOG_LEVEL_TRACE, 70);
VALUE(DOCA_RDMA_TRANSPORT_TYPE_RC, 0);
VALUE(DOCA_RDMA_TRANSPORT_TYPE_DC, 1);
VALUE(DOCA_RDMA_OPCODE_RECV_SEND, 0);
VALUE(DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM, 1);
VALUE(DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM, 2);
VALUE(DOCA_DEVINFO_IBDEV_NAME_SIZE, 64);
VALUE(DOCA_DEVINFO_IFACE_NAME_SIZE, 256);
VALUE(DOCA_DEVINFO_IPV4_ADDR_SIZE, 4);
VALUE(DOCA_DEVINFO_IPV6_ADDR_SIZE, 16);
VALUE(DOCA_DEVINFO_MAC_ADDR_SIZE, 6);
VALUE(DOCA_DEVINFO_PCI_ADDR_SIZE, 13);
VALUE(DOCA_DEVINFO_PCI_BDF_SIZE, 8);
VALUE(DOCA_DEVINFO_REP_PCI_ADDR_SIZE, 13);
VALUE(DOCA_DEVINFO_REP_PCI_BDF_SIZE, 8);
VALUE(DOCA_DEVINFO_REP_VUID_SIZE, 128);
VALUE(DOCA_DEVINFO_VUID_SIZE, 128);
VALUE(DOCA_GID_BYTE_LENGTH, 16);
VALUE(DOCA_CURRENT_VERSION_NUM, 33882220);
VALUE(DOCA_VER_MAJOR, 2);
VALUE(DOCA_VER_MINOR, 5);
VALUE(DOCA_VER_PATCH, 108);

FUNCTION(doca_error_t, doca_buf_chain_list, struct doca_buf *, struct doca_buf *);
FUNCTION(doca_error_t, doca_buf_dec_refcount, struct doca_buf *, uint16_t *);
FUNCTION(doca_error_t, doca_buf_get_data, const struct doca_buf *, void **);
FUNCTION(doca_error_t, doca_buf_get_data_len, const struct doca_buf *, size_t *);
FUNCTION(doca_error_t, doca_buf_get_head, const struct doca_buf *, void **);
FUNCTION(doca_error_t, doca_buf_get_last_in_list, struct doca_buf *, struct doca_buf **);
FUNCTION(doca_error_t, doca_buf_get_len, const struct doca_buf *, size_t *);
FUNCTION(doca_error_t, doca_buf_get_list_len, const struct doca_buf *, uint32_t *);
FUNCTION(doca_error_t, doca_buf_get_next_in_list, struct doca_buf *, struct doca_buf **);
FUNCTION(doca_error_t, doca_buf_get_refcount, const struct doca_buf *, uint16_t *);
FUNCTION(doca_error_t, doca_buf_inc_refcount, struct doca_buf *, uint16_t *);
FUNCTION(doca_error_t, doca_buf_is_first_in_list, const struct doca_buf *, uint8_t *);
FUNCTION(doca_error_t, doca_buf_is_in_list, const struct doca_buf *, uint8_t *);
FUNCTION(doca_error_t, doca_buf_is_last_in_list, const struct doca_buf *, uint8_t *);
FUNCTION(doca_error_t, doca_buf_reset_data_len, struct doca_buf *);
FUNCTION(doca_error_t, doca_buf_set_data, struct doca_buf *, void *, size_t);
FUNCTION(doca_error_t, doca_buf_unchain_list, struct doca_buf *, struct doca_buf *);
FUNCTION(doca_error_t, doca_buf_arr_create, struct doca_mmap *, struct doca_buf_arr **);
FUNCTION(doca_error_t, doca_buf_arr_destroy, struct doca_buf_arr *);
FUNCTION(doca_error_t, doca_buf_arr_get_dpa_handle, const struct doca_buf_arr *, struct doca_dpa_dev_buf_arr **);
FUNCTION(doca_error_t, doca_buf_arr_get_gpu_handle, const struct doca_buf_arr *, struct doca_gpu_buf_arr **);
FUNCTION(doca_error_t, doca_buf_arr_set_params, struct doca_buf_arr *, size_t, uint32_t, uint32_t);
FUNCTION(doca_error_t, doca_buf_arr_set_target_dpa, struct doca_buf_arr *, struct doca_dpa *);
FUNCTION(doca_error_t, doca_buf_arr_set_target_gpu, struct doca_buf_arr *, struct doca_gpu *);
FUNCTION(doca_error_t, doca_buf_arr_start, struct doca_buf_arr *);
FUNCTION(doca_error_t, doca_buf_arr_stop, struct doca_buf_arr *);
FUNCTION(doca_error_t, doca_buf_inventory_buf_dup,
         struct doca_buf_inventory *, const struct doca_buf *, struct doca_buf **);
FUNCTION(doca_error_t, doca_buf_inventory_buf_get_by_addr,
         struct doca_buf_inventory *, struct doca_mmap *, void *, size_t, struct doca_buf **);
FUNCTION(doca_error_t, doca_buf_inventory_buf_get_by_args,
         struct doca_buf_inventory *, struct doca_mmap *, void *, size_t, void *, size_t, struct doca_buf **);
FUNCTION(doca_error_t, doca_buf_inventory_buf_get_by_data,
         struct doca_buf_inventory *, struct doca_mmap *, void *, size_t, struct doca_buf **);
FUNCTION(doca_error_t, doca_buf_inventory_create, size_t, struct doca_buf_inventory **);
FUNCTION(doca_error_t, doca_buf_inventory_destroy, struct doca_buf_inventory *);
FUNCTION(doca_error_t, doca_buf_inventory_get_num_elements, const struct doca_buf_inventory *, uint32_t *);
FUNCTION(doca_error_t, doca_buf_inventory_get_num_free_elements, const struct doca_buf_inventory *, uint32_t *);
FUNCTION(doca_error_t, doca_buf_inventory_get_user_data, const struct doca_buf_inventory *, union doca_data *);
FUNCTION(doca_error_t, doca_buf_inventory_set_user_data, struct doca_buf_inventory *, union doca_data);
FUNCTION(doca_error_t, doca_buf_inventory_start, struct doca_buf_inventory *);
FUNCTION(doca_error_t, doca_buf_inventory_stop, struct doca_buf_inventory *);
FUNCTION(doca_error_t, doca_buf_pool_buf_alloc, struct doca_buf_pool *, struct doca_buf **);
FUNCTION(doca_error_t, doca_buf_pool_create, size_t, size_t, const struct doca_mmap *, struct doca_buf_pool **);
FUNCTION(doca_error_t, doca_buf_pool_destroy, struct doca_buf_pool *);
FUNCTION(doca_error_t, doca_buf_pool_get_element_alignment, const struct doca_buf_pool *, size_t *);
FUNCTION(doca_error_t, doca_buf_pool_get_num_elements, const struct doca_buf_pool *, uint32_t *);
FUNCTION(doca_error_t, doca_buf_pool_get_num_free_elements, const struct doca_buf_pool *, uint32_t *);
FUNCTION(doca_error_t, doca_buf_pool_get_user_data, const struct doca_buf_pool *, union doca_data *);
FUNCTION(doca_error_t, doca_buf_pool_set_element_alignment, struct doca_buf_pool *, size_t);
FUNCTION(doca_error_t, doca_buf_pool_set_user_data, struct doca_buf_pool *, union doca_data);
FUNCTION(doca_error_t, doca_buf_pool_start, struct doca_buf_pool *);
FUNCTION(doca_error_t, doca_buf_pool_stop, struct doca_buf_pool *);
FUNCTION(doca_error_t, doca_ctx_get_num_inflight_tasks, const struct doca_ctx *, size_t *);
FUNCTION(doca_error_t, doca_ctx_get_state, const struct doca_ctx *, enum doca_ctx_states *);
FUNCTION(doca_error_t, doca_ctx_get_user_data, const struct doca_ctx *, union doca_data *);
FUNCTION(doca_error_t, doca_ctx_set_datapath_on_dpa, struct doca_ctx *, struct doca_dpa *);
FUNCTION(doca_error_t, doca_ctx_set_datapath_on_gpu, struct doca_ctx *, struct doca_gpu *);
FUNCTION(doca_error_t, doca_ctx_set_state_changed_cb, struct doca_ctx *, doca_ctx_state_changed_callback_t);
FUNCTION(doca_error_t, doca_ctx_set_user_data, struct doca_ctx *, union doca_data);
FUNCTION(doca_error_t, doca_ctx_start, struct doca_ctx *);
FUNCTION(doca_error_t, doca_ctx_stop, struct doca_ctx *);
FUNCTION(struct doca_devinfo *, doca_dev_as_devinfo, const struct doca_dev *);
FUNCTION(doca_error_t, doca_dev_close, struct doca_dev *);
FUNCTION(doca_error_t, doca_dev_open, struct doca_devinfo *, struct doca_dev **);
FUNCTION(struct doca_devinfo_rep *, doca_dev_rep_as_devinfo, struct doca_dev_rep *);
FUNCTION(doca_error_t, doca_dev_rep_close, struct doca_dev_rep *);
FUNCTION(doca_error_t, doca_dev_rep_open, struct doca_devinfo_rep *, struct doca_dev_rep **);
FUNCTION(doca_error_t, doca_devinfo_cap_is_hotplug_manager_supported, const struct doca_devinfo *, uint8_t *);
FUNCTION(doca_error_t, doca_devinfo_create_list, struct doca_devinfo ***, uint32_t *);
FUNCTION(doca_error_t, doca_devinfo_destroy_list, struct doca_devinfo **);
FUNCTION(doca_error_t, doca_devinfo_get_ibdev_name, const struct doca_devinfo *, char *, uint32_t);
FUNCTION(doca_error_t, doca_devinfo_get_iface_name, const struct doca_devinfo *, char *, uint32_t);
FUNCTION(doca_error_t, doca_devinfo_get_ipv4_addr, const struct doca_devinfo *, uint8_t *, uint32_t);
FUNCTION(doca_error_t, doca_devinfo_get_ipv6_addr, const struct doca_devinfo *, uint8_t *, uint32_t);
FUNCTION(doca_error_t, doca_devinfo_get_lid, const struct doca_devinfo *, uint16_t *);
FUNCTION(doca_error_t, doca_devinfo_get_mac_addr, const struct doca_devinfo *, uint8_t *, uint32_t);
FUNCTION(doca_error_t, doca_devinfo_get_pci_addr_str, const struct doca_devinfo *, char *);
FUNCTION(doca_error_t, doca_devinfo_is_equal_pci_addr, const struct doca_devinfo *, const char *, uint8_t *);
FUNCTION(doca_error_t, doca_devinfo_rep_cap_is_filter_all_supported, const struct doca_devinfo *, uint8_t *);
FUNCTION(doca_error_t, doca_devinfo_rep_cap_is_filter_emulated_supported, const struct doca_devinfo *, uint8_t *);
FUNCTION(doca_error_t, doca_devinfo_rep_cap_is_filter_net_supported, const struct doca_devinfo *, uint8_t *);
FUNCTION(doca_error_t, doca_devinfo_rep_create_list, struct doca_dev *, int, struct doca_devinfo_rep ***, uint32_t *);
FUNCTION(doca_error_t, doca_devinfo_rep_destroy_list, struct doca_devinfo_rep **);
FUNCTION(doca_error_t, doca_devinfo_rep_get_is_hotplug, const struct doca_devinfo_rep *, uint8_t *);
FUNCTION(doca_error_t, doca_devinfo_rep_get_pci_addr_str, const struct doca_devinfo_rep *, char *);
FUNCTION(doca_error_t, doca_devinfo_rep_get_pci_func_type, const struct doca_devinfo_rep *, enum doca_pci_func_type *);
FUNCTION(doca_error_t, doca_devinfo_rep_get_vuid, const struct doca_devinfo_rep *, char *, uint32_t);
FUNCTION(doca_error_t, doca_devinfo_rep_is_equal_pci_addr, const struct doca_devinfo_rep *, const char *, uint8_t *);
FUNCTION(struct doca_ctx *, doca_dma_as_ctx, struct doca_dma *);
FUNCTION(doca_error_t, doca_dma_cap_get_max_num_tasks, struct doca_dma *, uint32_t *);
FUNCTION(doca_error_t, doca_dma_cap_task_memcpy_get_max_buf_list_len, const struct doca_devinfo *, uint32_t *);
FUNCTION(doca_error_t, doca_dma_cap_task_memcpy_get_max_buf_size, const struct doca_devinfo *, uint64_t *);
FUNCTION(doca_error_t, doca_dma_cap_task_memcpy_is_supported, const struct doca_devinfo *);
FUNCTION(doca_error_t, doca_dma_create, struct doca_dev *, struct doca_dma **);
FUNCTION(doca_error_t, doca_dma_destroy, struct doca_dma *);
FUNCTION(doca_error_t, doca_dma_task_memcpy_alloc_init,
         struct doca_dma *, const struct doca_buf *, struct doca_buf *, union doca_data, struct doca_dma_task_memcpy **);
FUNCTION(struct doca_task *, doca_dma_task_memcpy_as_task, struct doca_dma_task_memcpy *);
FUNCTION(struct doca_buf *, doca_dma_task_memcpy_get_dst, const struct doca_dma_task_memcpy *);
FUNCTION(const struct doca_buf *, doca_dma_task_memcpy_get_src, const struct doca_dma_task_memcpy *);
FUNCTION(doca_error_t, doca_dma_task_memcpy_set_conf,
         struct doca_dma *, doca_dma_task_memcpy_completion_cb_t, doca_dma_task_memcpy_completion_cb_t, uint32_t);
FUNCTION(void, doca_dma_task_memcpy_set_dst, struct doca_dma_task_memcpy *, struct doca_buf *);
FUNCTION(void, doca_dma_task_memcpy_set_src, struct doca_dma_task_memcpy *, const struct doca_buf *);
FUNCTION(const char *, doca_error_get_descr, doca_error_t);
FUNCTION(const char *, doca_error_get_name, doca_error_t);
FUNCTION(doca_error_t, doca_graph_add_dependency, struct doca_graph *, struct doca_graph_node *, struct doca_graph_node *);
FUNCTION(doca_error_t, doca_graph_create, struct doca_pe *, struct doca_graph **);
FUNCTION(doca_error_t, doca_graph_destroy, struct doca_graph *);
FUNCTION(doca_error_t, doca_graph_get_user_data, const struct doca_graph *, union doca_data *);
FUNCTION(doca_error_t, doca_graph_instance_create, const struct doca_graph *, struct doca_graph_instance **);
FUNCTION(doca_error_t, doca_graph_instance_destroy, struct doca_graph_instance *);
FUNCTION(doca_error_t, doca_graph_instance_get_user_data, const struct doca_graph_instance *, union doca_data *);
FUNCTION(doca_error_t, doca_graph_instance_set_ctx_node_data,
         struct doca_graph_instance *, struct doca_graph_node *, struct doca_task *);
FUNCTION(doca_error_t, doca_graph_instance_set_sub_graph_node_data,
         struct doca_graph_instance *, struct doca_graph_node *, struct doca_graph_instance *);
FUNCTION(doca_error_t, doca_graph_instance_set_user_data, struct doca_graph_instance *, union doca_data);
FUNCTION(doca_error_t, doca_graph_instance_set_user_node_data,
         struct doca_graph_instance *, struct doca_graph_node *, void *);
FUNCTION(doca_error_t, doca_graph_instance_submit, struct doca_graph_instance *);
FUNCTION(doca_error_t, doca_graph_node_create_from_ctx,
         struct doca_graph *, const struct doca_ctx *, struct doca_graph_node **);
FUNCTION(doca_error_t, doca_graph_node_create_from_graph,
         struct doca_graph *, struct doca_graph *, struct doca_graph_node **);
FUNCTION(doca_error_t, doca_graph_node_create_from_user,
         struct doca_graph *, doca_graph_user_node_cb_t, struct doca_graph_node **);
FUNCTION(doca_error_t, doca_graph_set_conf,
         struct doca_graph *, doca_graph_completion_cb_t, doca_graph_completion_cb_t, uint32_t);
FUNCTION(doca_error_t, doca_graph_set_user_data, struct doca_graph *, union doca_data);
FUNCTION(doca_error_t, doca_graph_start, struct doca_graph *);
FUNCTION(doca_error_t, doca_graph_stop, struct doca_graph *);
FUNCTION(doca_error_t, doca_log, uint32_t, int, const char *, int, const char *, const char *, ...);
FUNCTION(doca_error_t, doca_log_backend_create_standard, void);
FUNCTION(doca_error_t, doca_log_backend_create_with_buffer, char *, size_t, log_flush_callback, struct doca_log_backend **);
FUNCTION(doca_error_t, doca_log_backend_create_with_buffer_sdk,
         char *, size_t, log_flush_callback, struct doca_log_backend **);
FUNCTION(doca_error_t, doca_log_backend_create_with_fd, int, struct doca_log_backend **);
FUNCTION(doca_error_t, doca_log_backend_create_with_fd_sdk, int, struct doca_log_backend **);
FUNCTION(doca_error_t, doca_log_backend_create_with_file, FILE *, struct doca_log_backend **);
FUNCTION(doca_error_t, doca_log_backend_create_with_file_sdk, FILE *, struct doca_log_backend **);
FUNCTION(doca_error_t, doca_log_backend_create_with_syslog, const char *, struct doca_log_backend **);
FUNCTION(doca_error_t, doca_log_backend_create_with_syslog_sdk, const char *, struct doca_log_backend **);
FUNCTION(doca_error_t, doca_log_backend_set_level_lower_limit, struct doca_log_backend *, uint32_t);
FUNCTION(doca_error_t, doca_log_backend_set_level_lower_limit_strict, struct doca_log_backend *);
FUNCTION(doca_error_t, doca_log_backend_set_level_upper_limit, struct doca_log_backend *, uint32_t);
FUNCTION(doca_error_t, doca_log_backend_set_level_upper_limit_strict, struct doca_log_backend *);
FUNCTION(doca_error_t, doca_log_backend_set_sdk_level, struct doca_log_backend *, uint32_t);
FUNCTION(uint32_t, doca_log_level_get_global_lower_limit, void);
FUNCTION(uint32_t, doca_log_level_get_global_sdk_limit, void);
FUNCTION(uint32_t, doca_log_level_get_global_upper_limit, void);
FUNCTION(doca_error_t, doca_log_level_set_global_lower_limit, uint32_t);
FUNCTION(doca_error_t, doca_log_level_set_global_sdk_limit, uint32_t);
FUNCTION(doca_error_t, doca_log_level_set_global_upper_limit, uint32_t);
FUNCTION(doca_error_t, doca_log_register_source, const char *, int *);
FUNCTION(doca_error_t, doca_log_unregister_source, int);
FUNCTION(doca_error_t, doca_mmap_add_dev, struct doca_mmap *, struct doca_dev *);
FUNCTION(doca_error_t, doca_mmap_cap_is_create_from_export_pci_supported, const struct doca_devinfo *, uint8_t *);
FUNCTION(doca_error_t, doca_mmap_cap_is_export_pci_supported, const struct doca_devinfo *, uint8_t *);
FUNCTION(doca_error_t, doca_mmap_create, struct doca_mmap **);
FUNCTION(doca_error_t, doca_mmap_create_from_export,
         const union doca_data *, const void *, size_t, struct doca_dev *, struct doca_mmap **);
FUNCTION(doca_error_t, doca_mmap_destroy, struct doca_mmap *);
FUNCTION(doca_error_t, doca_mmap_export_pci, struct doca_mmap *, const struct doca_dev *, const void **, size_t *);
FUNCTION(doca_error_t, doca_mmap_export_rdma, struct doca_mmap *, const struct doca_dev *, const void **, size_t *);
FUNCTION(doca_error_t, doca_mmap_get_exported, const struct doca_mmap *, uint8_t *);
FUNCTION(doca_error_t, doca_mmap_get_from_export, const struct doca_mmap *, uint8_t *);
FUNCTION(doca_error_t, doca_mmap_get_max_num_devices, const struct doca_mmap *, uint32_t *);
FUNCTION(doca_error_t, doca_mmap_get_memrange, const struct doca_mmap *, void **, size_t *);
FUNCTION(doca_error_t, doca_mmap_get_num_bufs, const struct doca_mmap *, uint32_t *);
FUNCTION(doca_error_t, doca_mmap_get_user_data, const struct doca_mmap *, union doca_data *);
FUNCTION(doca_error_t, doca_mmap_rm_dev, struct doca_mmap *, struct doca_dev *);
FUNCTION(doca_error_t, doca_mmap_set_dmabuf_memrange, struct doca_mmap *, int, void *, size_t, size_t);
FUNCTION(doca_error_t, doca_mmap_set_free_cb, struct doca_mmap *, doca_mmap_memrange_free_cb_t *, void *);
FUNCTION(doca_error_t, doca_mmap_set_max_num_devices, struct doca_mmap *, uint32_t);
FUNCTION(doca_error_t, doca_mmap_set_memrange, struct doca_mmap *, void *, size_t);
FUNCTION(doca_error_t, doca_mmap_set_permissions, struct doca_mmap *, uint32_t);
FUNCTION(doca_error_t, doca_mmap_set_user_data, struct doca_mmap *, union doca_data);
FUNCTION(doca_error_t, doca_mmap_start, struct doca_mmap *);
FUNCTION(doca_error_t, doca_mmap_stop, struct doca_mmap *);
FUNCTION(doca_error_t, doca_pe_clear_notification, struct doca_pe *, doca_notification_handle_t);
FUNCTION(doca_error_t, doca_pe_connect_ctx, struct doca_pe *, struct doca_ctx *);
FUNCTION(doca_error_t, doca_pe_create, struct doca_pe **);
FUNCTION(doca_error_t, doca_pe_destroy, struct doca_pe *);
FUNCTION(doca_error_t, doca_pe_get_notification_handle, const struct doca_pe *, doca_notification_handle_t *);
FUNCTION(doca_error_t, doca_pe_get_num_inflight_tasks, const struct doca_pe *, size_t *);
FUNCTION(uint8_t, doca_pe_progress, struct doca_pe *);
FUNCTION(doca_error_t, doca_pe_request_notification, struct doca_pe *);
FUNCTION(void, doca_task_free, struct doca_task *);
FUNCTION(struct doca_ctx *, doca_task_get_ctx, const struct doca_task *);
FUNCTION(doca_error_t, doca_task_get_status, const struct doca_task *);
FUNCTION(union doca_data, doca_task_get_user_data, const struct doca_task *);
FUNCTION(void, doca_task_set_user_data, struct doca_task *, union doca_data);
FUNCTION(doca_error_t, doca_task_submit, struct doca_task *);
FUNCTION(doca_error_t, doca_task_try_submit, struct doca_task *);
FUNCTION(struct doca_ctx *, doca_rdma_as_ctx, struct doca_rdma *);
FUNCTION(doca_error_t, doca_rdma_cap_get_gid, struct doca_devinfo *, uint32_t, uint32_t, struct doca_rdma_gid *);
FUNCTION(doca_error_t, doca_rdma_cap_get_gid_table_size, struct doca_devinfo *, uint32_t *);
FUNCTION(doca_error_t, doca_rdma_cap_get_max_message_size, const struct doca_devinfo *, uint32_t *);
FUNCTION(doca_error_t, doca_rdma_cap_get_max_recv_queue_size, const struct doca_devinfo *, uint32_t *);
FUNCTION(doca_error_t, doca_rdma_cap_get_max_send_buf_list_len, const struct doca_devinfo *, uint32_t *);
FUNCTION(doca_error_t, doca_rdma_cap_get_max_send_queue_size, const struct doca_devinfo *, uint32_t *);
FUNCTION(doca_error_t, doca_rdma_cap_task_atomic_cmp_swp_is_supported, const struct doca_devinfo *);
FUNCTION(doca_error_t, doca_rdma_cap_task_atomic_fetch_add_is_supported, const struct doca_devinfo *);
FUNCTION(doca_error_t, doca_rdma_cap_task_read_is_supported, const struct doca_devinfo *);
FUNCTION(doca_error_t, doca_rdma_cap_task_receive_get_max_dst_buf_list_len,
         const struct doca_devinfo *, enum doca_rdma_transport_type, uint32_t *);
FUNCTION(doca_error_t, doca_rdma_cap_task_receive_is_supported, const struct doca_devinfo *);
FUNCTION(doca_error_t, doca_rdma_cap_task_remote_net_sync_event_get_is_supported, const struct doca_devinfo *);
FUNCTION(doca_error_t, doca_rdma_cap_task_remote_net_sync_event_notify_add_is_supported, const struct doca_devinfo *);
FUNCTION(doca_error_t, doca_rdma_cap_task_remote_net_sync_event_notify_set_is_supported, const struct doca_devinfo *);
FUNCTION(doca_error_t, doca_rdma_cap_task_send_imm_is_supported, const struct doca_devinfo *);
FUNCTION(doca_error_t, doca_rdma_cap_task_send_is_supported, const struct doca_devinfo *);
FUNCTION(doca_error_t, doca_rdma_cap_task_write_imm_is_supported, const struct doca_devinfo *);
FUNCTION(doca_error_t, doca_rdma_cap_task_write_is_supported, const struct doca_devinfo *);
FUNCTION(doca_error_t, doca_rdma_cap_transport_type_is_supported,
         const struct doca_devinfo *, enum doca_rdma_transport_type);
FUNCTION(doca_error_t, doca_rdma_connect, struct doca_rdma *, const void *, size_t);
FUNCTION(doca_error_t, doca_rdma_create, struct doca_dev *, struct doca_rdma **);
FUNCTION(doca_error_t, doca_rdma_destroy, struct doca_rdma *);
FUNCTION(doca_error_t, doca_rdma_export, const struct doca_rdma *, const void **, size_t *);
FUNCTION(doca_error_t, doca_rdma_get_dpa_handle, struct doca_rdma *, struct doca_dpa_dev_rdma **);
FUNCTION(doca_error_t, doca_rdma_get_gid_index, const struct doca_rdma *, uint32_t *);
FUNCTION(doca_error_t, doca_rdma_get_grh_enabled, const struct doca_rdma *, bool *);
FUNCTION(doca_error_t, doca_rdma_get_max_send_buf_list_len, const struct doca_rdma *, uint32_t *);
FUNCTION(doca_error_t, doca_rdma_get_mtu, const struct doca_rdma *, enum doca_mtu_size *);
FUNCTION(doca_error_t, doca_rdma_get_permissions, struct doca_rdma *, uint32_t *);
FUNCTION(doca_error_t, doca_rdma_get_recv_queue_size, const struct doca_rdma *, uint32_t *);
FUNCTION(doca_error_t, doca_rdma_get_send_queue_size, const struct doca_rdma *, uint32_t *);
FUNCTION(doca_error_t, doca_rdma_get_sl, const struct doca_rdma *, uint32_t *);
FUNCTION(doca_error_t, doca_rdma_get_transport_type, const struct doca_rdma *, enum doca_rdma_transport_type *);
FUNCTION(doca_error_t, doca_rdma_set_gid_index, struct doca_rdma *, uint32_t);
FUNCTION(doca_error_t, doca_rdma_set_grh_enabled, struct doca_rdma *, bool);
FUNCTION(doca_error_t, doca_rdma_set_max_send_buf_list_len, struct doca_rdma *, uint32_t);
FUNCTION(doca_error_t, doca_rdma_set_mtu, struct doca_rdma *, enum doca_mtu_size);
FUNCTION(doca_error_t, doca_rdma_set_permissions, struct doca_rdma *, uint32_t);
FUNCTION(doca_error_t, doca_rdma_set_recv_queue_size, struct doca_rdma *, uint32_t);
FUNCTION(doca_error_t, doca_rdma_set_send_queue_size, struct doca_rdma *, uint32_t);
FUNCTION(doca_error_t, doca_rdma_set_sl, struct doca_rdma *, uint32_t);
FUNCTION(doca_error_t, doca_rdma_set_transport_type, struct doca_rdma *, enum doca_rdma_transport_type);
FUNCTION(doca_error_t, doca_rdma_task_atomic_cmp_swp_allocate_init,
         struct doca_rdma *, struct doca_buf *, struct doca_buf *, uint64_t, uint64_t, union doca_data,
         struct doca_rdma_task_atomic_cmp_swp **);
FUNCTION(struct doca_task *, doca_rdma_task_atomic_cmp_swp_as_task, struct doca_rdma_task_atomic_cmp_swp *);
FUNCTION(uint64_t, doca_rdma_task_atomic_cmp_swp_get_cmp_data, const struct doca_rdma_task_atomic_cmp_swp *);
FUNCTION(struct doca_buf *, doca_rdma_task_atomic_cmp_swp_get_dst_buf, const struct doca_rdma_task_atomic_cmp_swp *);
FUNCTION(struct doca_buf *, doca_rdma_task_atomic_cmp_swp_get_result_buf, const struct doca_rdma_task_atomic_cmp_swp *);
FUNCTION(uint64_t, doca_rdma_task_atomic_cmp_swp_get_swap_data, const struct doca_rdma_task_atomic_cmp_swp *);
FUNCTION(void, doca_rdma_task_atomic_cmp_swp_set_cmp_data, struct doca_rdma_task_atomic_cmp_swp *, uint64_t);
FUNCTION(doca_error_t, doca_rdma_task_atomic_cmp_swp_set_conf,
         struct doca_rdma *, doca_rdma_task_atomic_cmp_swp_completion_cb_t, doca_rdma_task_atomic_cmp_swp_completion_cb_t,
         uint32_t);
FUNCTION(void, doca_rdma_task_atomic_cmp_swp_set_dst_buf, struct doca_rdma_task_atomic_cmp_swp *, struct doca_buf *);
FUNCTION(void, doca_rdma_task_atomic_cmp_swp_set_result_buf, struct doca_rdma_task_atomic_cmp_swp *, struct doca_buf *);
FUNCTION(void, doca_rdma_task_atomic_cmp_swp_set_swap_data, struct doca_rdma_task_atomic_cmp_swp *, uint64_t);
FUNCTION(doca_error_t, doca_rdma_task_atomic_fetch_add_allocate_init,
         struct doca_rdma *, struct doca_buf *, struct doca_buf *, uint64_t, union doca_data,
         struct doca_rdma_task_atomic_fetch_add **);
FUNCTION(struct doca_task *, doca_rdma_task_atomic_fetch_add_as_task, struct doca_rdma_task_atomic_fetch_add *);
FUNCTION(uint64_t, doca_rdma_task_atomic_fetch_add_get_add_data, const struct doca_rdma_task_atomic_fetch_add *);
FUNCTION(struct doca_buf *, doca_rdma_task_atomic_fetch_add_get_dst_buf, const struct doca_rdma_task_atomic_fetch_add *);
FUNCTION(struct doca_buf *, doca_rdma_task_atomic_fetch_add_get_result_buf, const struct doca_rdma_task_atomic_fetch_add *);
FUNCTION(void, doca_rdma_task_atomic_fetch_add_set_add_data, struct doca_rdma_task_atomic_fetch_add *, uint64_t);
FUNCTION(doca_error_t, doca_rdma_task_atomic_fetch_add_set_conf,
         struct doca_rdma *, doca_rdma_task_atomic_fetch_add_completion_cb_t,
         doca_rdma_task_atomic_fetch_add_completion_cb_t, uint32_t);
FUNCTION(void, doca_rdma_task_atomic_fetch_add_set_dst_buf, struct doca_rdma_task_atomic_fetch_add *, struct doca_buf *);
FUNCTION(void, doca_rdma_task_atomic_fetch_add_set_result_buf, struct doca_rdma_task_atomic_fetch_add *, struct doca_buf *);
FUNCTION(doca_error_t, doca_rdma_task_read_allocate_init,
         struct doca_rdma *, const struct doca_buf *, struct doca_buf *, union doca_data, struct doca_rdma_task_read **);
FUNCTION(struct doca_task *, doca_rdma_task_read_as_task, struct doca_rdma_task_read *);
FUNCTION(struct doca_buf *, doca_rdma_task_read_get_dst_buf, const struct doca_rdma_task_read *);
FUNCTION(uint32_t, doca_rdma_task_read_get_result_length, const struct doca_rdma_task_read *);
FUNCTION(const struct doca_buf *, doca_rdma_task_read_get_src_buf, const struct doca_rdma_task_read *);
FUNCTION(doca_error_t, doca_rdma_task_read_set_conf,
         struct doca_rdma *, doca_rdma_task_read_completion_cb_t, doca_rdma_task_read_completion_cb_t, uint32_t);
FUNCTION(void, doca_rdma_task_read_set_dst_buf, struct doca_rdma_task_read *, struct doca_buf *);
FUNCTION(void, doca_rdma_task_read_set_src_buf, struct doca_rdma_task_read *, const struct doca_buf *);
FUNCTION(doca_error_t, doca_rdma_task_receive_allocate_init,
         struct doca_rdma *, struct doca_buf *, union doca_data, struct doca_rdma_task_receive **);
FUNCTION(struct doca_task *, doca_rdma_task_receive_as_task, struct doca_rdma_task_receive *);
FUNCTION(struct doca_buf *, doca_rdma_task_receive_get_dst_buf, const struct doca_rdma_task_receive *);
FUNCTION(doca_error_t, doca_rdma_task_receive_get_dst_buf_list_len, const struct doca_rdma *, uint32_t *);
FUNCTION(doca_be32_t, doca_rdma_task_receive_get_result_immediate_data, const struct doca_rdma_task_receive *);
FUNCTION(uint32_t, doca_rdma_task_receive_get_result_length, const struct doca_rdma_task_receive *);
FUNCTION(enum doca_rdma_opcode, doca_rdma_task_receive_get_result_opcode, const struct doca_rdma_task_receive *);
FUNCTION(doca_error_t, doca_rdma_task_receive_set_conf,
         struct doca_rdma *, doca_rdma_task_receive_completion_cb_t, doca_rdma_task_receive_completion_cb_t, uint32_t);
FUNCTION(void, doca_rdma_task_receive_set_dst_buf, struct doca_rdma_task_receive *, struct doca_buf *);
FUNCTION(doca_error_t, doca_rdma_task_receive_set_dst_buf_list_len, struct doca_rdma *, uint32_t);
FUNCTION(doca_error_t, doca_rdma_task_remote_net_sync_event_get_allocate_init,
         struct doca_rdma *, const struct doca_sync_event_remote_net *, struct doca_buf *, union doca_data,
         struct doca_rdma_task_remote_net_sync_event_get **);
FUNCTION(struct doca_task *, doca_rdma_task_remote_net_sync_event_get_as_task,
         struct doca_rdma_task_remote_net_sync_event_get *);
FUNCTION(struct doca_buf *, doca_rdma_task_remote_net_sync_event_get_get_dst_buf,
         const struct doca_rdma_task_remote_net_sync_event_get *);
FUNCTION(uint32_t, doca_rdma_task_remote_net_sync_event_get_get_result_length,
         const struct doca_rdma_task_remote_net_sync_event_get *);
FUNCTION(const struct doca_sync_event_remote_net *, doca_rdma_task_remote_net_sync_event_get_get_sync_event,
         const struct doca_rdma_task_remote_net_sync_event_get *);
FUNCTION(doca_error_t, doca_rdma_task_remote_net_sync_event_get_set_conf,
         struct doca_rdma *, doca_rdma_task_remote_net_sync_event_get_completion_cb_t,
         doca_rdma_task_remote_net_sync_event_get_completion_cb_t, uint32_t);
FUNCTION(void, doca_rdma_task_remote_net_sync_event_get_set_dst_buf,
         struct doca_rdma_task_remote_net_sync_event_get *, struct doca_buf *);
FUNCTION(void, doca_rdma_task_remote_net_sync_event_get_set_sync_event,
         struct doca_rdma_task_remote_net_sync_event_get *, const struct doca_sync_event_remote_net *);
FUNCTION(doca_error_t, doca_rdma_task_remote_net_sync_event_notify_add_allocate_init,
         struct doca_rdma *, struct doca_sync_event_remote_net *, struct doca_buf *, uint64_t, union doca_data,
         struct doca_rdma_task_remote_net_sync_event_notify_add **);
FUNCTION(struct doca_task *, doca_rdma_task_remote_net_sync_event_notify_add_as_task,
         struct doca_rdma_task_remote_net_sync_event_notify_add *);
FUNCTION(uint64_t, doca_rdma_task_remote_net_sync_event_notify_add_get_add_data,
         const struct doca_rdma_task_remote_net_sync_event_notify_add *);
FUNCTION(struct doca_buf *, doca_rdma_task_remote_net_sync_event_notify_add_get_result_buf,
         const struct doca_rdma_task_remote_net_sync_event_notify_add *);
FUNCTION(struct doca_sync_event_remote_net *, doca_rdma_task_remote_net_sync_event_notify_add_get_sync_event,
         const struct doca_rdma_task_remote_net_sync_event_notify_add *);
FUNCTION(void, doca_rdma_task_remote_net_sync_event_notify_add_set_add_data,
         struct doca_rdma_task_remote_net_sync_event_notify_add *, uint64_t);
FUNCTION(doca_error_t, doca_rdma_task_remote_net_sync_event_notify_add_set_conf,
         struct doca_rdma *, doca_rdma_task_remote_net_sync_event_notify_add_completion_cb_t,
         doca_rdma_task_remote_net_sync_event_notify_add_completion_cb_t, uint32_t);
FUNCTION(void, doca_rdma_task_remote_net_sync_event_notify_add_set_result_buf,
         struct doca_rdma_task_remote_net_sync_event_notify_add *, struct doca_buf *);
FUNCTION(void, doca_rdma_task_remote_net_sync_event_notify_add_set_sync_event,
         struct doca_rdma_task_remote_net_sync_event_notify_add *, struct doca_sync_event_remote_net *);
FUNCTION(doca_error_t, doca_rdma_task_remote_net_sync_event_notify_set_allocate_init,
         struct doca_rdma *, struct doca_sync_event_remote_net *, const struct doca_buf *, union doca_data,
         struct doca_rdma_task_remote_net_sync_event_notify_set **);
FUNCTION(struct doca_task *, doca_rdma_task_remote_net_sync_event_notify_set_as_task,
         struct doca_rdma_task_remote_net_sync_event_notify_set *);
FUNCTION(const struct doca_buf *, doca_rdma_task_remote_net_sync_event_notify_set_get_src_buf,
         const struct doca_rdma_task_remote_net_sync_event_notify_set *);
FUNCTION(struct doca_sync_event_remote_net *, doca_rdma_task_remote_net_sync_event_notify_set_get_sync_event,
         const struct doca_rdma_task_remote_net_sync_event_notify_set *);
FUNCTION(doca_error_t, doca_rdma_task_remote_net_sync_event_notify_set_set_conf,
         struct doca_rdma *, doca_rdma_task_remote_net_sync_event_notify_set_completion_cb_t,
         doca_rdma_task_remote_net_sync_event_notify_set_completion_cb_t, uint32_t);
FUNCTION(void, doca_rdma_task_remote_net_sync_event_notify_set_set_src_buf,
         struct doca_rdma_task_remote_net_sync_event_notify_set *, const struct doca_buf *);
FUNCTION(void, doca_rdma_task_remote_net_sync_event_notify_set_set_sync_event,
         struct doca_rdma_task_remote_net_sync_event_notify_set *, struct doca_sync_event_remote_net *);
FUNCTION(doca_error_t, doca_rdma_task_send_allocate_init,
         struct doca_rdma *, const struct doca_buf *, union doca_data, struct doca_rdma_task_send **);
FUNCTION(struct doca_task *, doca_rdma_task_send_as_task, struct doca_rdma_task_send *);
FUNCTION(const struct doca_buf *, doca_rdma_task_send_get_src_buf, const struct doca_rdma_task_send *);
FUNCTION(doca_error_t, doca_rdma_task_send_imm_allocate_init,
         struct doca_rdma *, const struct doca_buf *, doca_be32_t, union doca_data, struct doca_rdma_task_send_imm **);
FUNCTION(struct doca_task *, doca_rdma_task_send_imm_as_task, struct doca_rdma_task_send_imm *);
FUNCTION(doca_be32_t, doca_rdma_task_send_imm_get_immediate_data, const struct doca_rdma_task_send_imm *);
FUNCTION(const struct doca_buf *, doca_rdma_task_send_imm_get_src_buf, const struct doca_rdma_task_send_imm *);
FUNCTION(doca_error_t, doca_rdma_task_send_imm_set_conf,
         struct doca_rdma *, doca_rdma_task_send_imm_completion_cb_t, doca_rdma_task_send_imm_completion_cb_t, uint32_t);
FUNCTION(void, doca_rdma_task_send_imm_set_immediate_data, struct doca_rdma_task_send_imm *, doca_be32_t);
FUNCTION(void, doca_rdma_task_send_imm_set_src_buf, struct doca_rdma_task_send_imm *, const struct doca_buf *);
FUNCTION(doca_error_t, doca_rdma_task_send_set_conf,
         struct doca_rdma *, doca_rdma_task_send_completion_cb_t, doca_rdma_task_send_completion_cb_t, uint32_t);
FUNCTION(void, doca_rdma_task_send_set_src_buf, struct doca_rdma_task_send *, const struct doca_buf *);
FUNCTION(doca_error_t, doca_rdma_task_write_allocate_init,
         struct doca_rdma *, const struct doca_buf *, struct doca_buf *, union doca_data, struct doca_rdma_task_write **);
FUNCTION(struct doca_task *, doca_rdma_task_write_as_task, struct doca_rdma_task_write *);
FUNCTION(struct doca_buf *, doca_rdma_task_write_get_dst_buf, const struct doca_rdma_task_write *);
FUNCTION(const struct doca_buf *, doca_rdma_task_write_get_src_buf, const struct doca_rdma_task_write *);
FUNCTION(doca_error_t, doca_rdma_task_write_imm_allocate_init,
         struct doca_rdma *, const struct doca_buf *, struct doca_buf *, doca_be32_t, union doca_data,
         struct doca_rdma_task_write_imm **);
FUNCTION(struct doca_task *, doca_rdma_task_write_imm_as_task, struct doca_rdma_task_write_imm *);
FUNCTION(struct doca_buf *, doca_rdma_task_write_imm_get_dst_buf, const struct doca_rdma_task_write_imm *);
FUNCTION(doca_be32_t, doca_rdma_task_write_imm_get_immediate_data, const struct doca_rdma_task_write_imm *);
FUNCTION(const struct doca_buf *, doca_rdma_task_write_imm_get_src_buf, const struct doca_rdma_task_write_imm *);
FUNCTION(doca_error_t, doca_rdma_task_write_imm_set_conf,
         struct doca_rdma *, doca_rdma_task_write_imm_completion_cb_t, doca_rdma_task_write_imm_completion_cb_t, uint32_t);
FUNCTION(void, doca_rdma_task_write_imm_set_dst_buf, struct doca_rdma_task_write_imm *, struct doca_buf *);
FUNCTION(void, doca_rdma_task_write_imm_set_immediate_data, struct doca_rdma_task_write_imm *, doca_be32_t);
FUNCTION(void, doca_rdma_task_write_imm_set_src_buf, struct doca_rdma_task_write_imm *, const struct doca_buf *);
FUNCTION(doca_error_t, doca_rdma_task_write_set_conf,
         struct doca_rdma *, doca_rdma_task_write_completion_cb_t, doca_rdma_task_write_completion_cb_t, uint32_t);
FUNCTION(void, doca_rdma_task_write_set_dst_buf, struct doca_rdma_task_write *, struct doca_buf *);
FUNCTION(void, doca_rdma_task_write_set_src_buf, struct doca_rdma_task_write *, const struct doca_buf *);
FUNCTION(doca_error_t, doca_rdma_bridge_get_buf_mkey, const struct doca_buf *, struct doca_dev *, uint32_t *);
FUNCTION(doca_error_t, doca_rdma_bridge_get_dev_pd, const struct doca_dev *, struct ibv_pd **);
FUNCTION(doca_error_t, doca_rdma_bridge_open_dev_from_pd, struct ibv_pd *, struct doca_dev **);
FUNCTION(doca_error_t, doca_sync_event_add_publisher_location_cpu, struct doca_sync_event *, struct doca_dev *);
FUNCTION(doca_error_t, doca_sync_event_add_publisher_location_dpa, struct doca_sync_event *, struct doca_dpa *);
FUNCTION(doca_error_t, doca_sync_event_add_publisher_location_dpu, struct doca_sync_event *);
FUNCTION(doca_error_t, doca_sync_event_add_publisher_location_gpu, struct doca_sync_event *, struct doca_gpu *);
FUNCTION(doca_error_t, doca_sync_event_add_publisher_location_remote_net, struct doca_sync_event *);
FUNCTION(doca_error_t, doca_sync_event_add_subscriber_location_cpu, struct doca_sync_event *, struct doca_dev *);
FUNCTION(doca_error_t, doca_sync_event_add_subscriber_location_dpa, struct doca_sync_event *, struct doca_dpa *);
FUNCTION(doca_error_t, doca_sync_event_add_subscriber_location_dpu, struct doca_sync_event *);
FUNCTION(doca_error_t, doca_sync_event_add_subscriber_location_gpu, struct doca_sync_event *, struct doca_gpu *);
FUNCTION(struct doca_ctx *, doca_sync_event_as_ctx, struct doca_sync_event *);
FUNCTION(doca_error_t, doca_sync_event_cap_is_create_from_export_supported, const struct doca_devinfo *);
FUNCTION(doca_error_t, doca_sync_event_cap_is_export_to_dpa_supported, const struct doca_devinfo *);
FUNCTION(doca_error_t, doca_sync_event_cap_is_export_to_dpu_supported, const struct doca_devinfo *);
FUNCTION(doca_error_t, doca_sync_event_cap_is_export_to_gpu_supported, const struct doca_devinfo *);
FUNCTION(doca_error_t, doca_sync_event_cap_is_export_to_remote_net_supported, const struct doca_devinfo *);
FUNCTION(doca_error_t, doca_sync_event_cap_remote_net_is_create_from_export_supported, const struct doca_devinfo *);
FUNCTION(doca_error_t, doca_sync_event_cap_remote_net_is_export_to_dpa_supported, const struct doca_devinfo *);
FUNCTION(doca_error_t, doca_sync_event_cap_remote_net_is_export_to_gpu_supported, const struct doca_devinfo *);
FUNCTION(doca_error_t, doca_sync_event_cap_task_get_is_supported, const struct doca_devinfo *);
FUNCTION(doca_error_t, doca_sync_event_cap_task_notify_add_is_supported, const struct doca_devinfo *);
FUNCTION(doca_error_t, doca_sync_event_cap_task_notify_set_is_supported, const struct doca_devinfo *);
FUNCTION(doca_error_t, doca_sync_event_cap_task_wait_gt_is_supported, const struct doca_devinfo *);
FUNCTION(doca_error_t, doca_sync_event_create, struct doca_sync_event **);
FUNCTION(doca_error_t, doca_sync_event_create_from_export,
         struct doca_dev *, const uint8_t *, size_t, struct doca_sync_event **);
FUNCTION(doca_error_t, doca_sync_event_destroy, struct doca_sync_event *);
FUNCTION(doca_error_t, doca_sync_event_export_to_dpa,
         struct doca_sync_event *, struct doca_dpa *, doca_dpa_dev_sync_event_t *);
FUNCTION(doca_error_t, doca_sync_event_export_to_dpu,
         struct doca_sync_event *, struct doca_dev *, const uint8_t **, size_t *);
FUNCTION(doca_error_t, doca_sync_event_export_to_gpu,
         struct doca_sync_event *, struct doca_gpu *, doca_gpu_dev_sync_event_t **);
FUNCTION(doca_error_t, doca_sync_event_export_to_remote_net, struct doca_sync_event *, const uint8_t **, size_t *);
FUNCTION(doca_error_t, doca_sync_event_get, struct doca_sync_event *, uint64_t *);
FUNCTION(doca_error_t, doca_sync_event_remote_net_create_from_export,
         struct doca_dev *, const uint8_t *, size_t, struct doca_sync_event_remote_net **);
FUNCTION(doca_error_t, doca_sync_event_remote_net_destroy, struct doca_sync_event_remote_net *);
FUNCTION(doca_error_t, doca_sync_event_remote_net_export_to_dpa,
         struct doca_sync_event_remote_net *, struct doca_dpa *, doca_dpa_dev_sync_event_remote_net_t *);
FUNCTION(doca_error_t, doca_sync_event_remote_net_export_to_gpu,
         struct doca_sync_event_remote_net *, struct doca_gpu *, doca_gpu_dev_sync_event_remote_net_t *);
FUNCTION(doca_error_t, doca_sync_event_set_addr, struct doca_sync_event *, uint64_t *);
FUNCTION(doca_error_t, doca_sync_event_start, struct doca_sync_event *);
FUNCTION(doca_error_t, doca_sync_event_stop, struct doca_sync_event *);
FUNCTION(doca_error_t, doca_sync_event_task_get_alloc_init,
         struct doca_sync_event *, uint64_t *, union doca_data, struct doca_sync_event_task_get **);
FUNCTION(struct doca_task *, doca_sync_event_task_get_as_doca_task, struct doca_sync_event_task_get *);
FUNCTION(uint64_t *, doca_sync_event_task_get_get_ret_val_ptr, const struct doca_sync_event_task_get *);
FUNCTION(doca_error_t, doca_sync_event_task_get_set_conf,
         struct doca_sync_event *, doca_sync_event_task_get_completion_cb_t, doca_sync_event_task_get_completion_cb_t,
         uint32_t);
FUNCTION(void, doca_sync_event_task_get_set_ret_val_ptr, struct doca_sync_event_task_get *, uint64_t *);
FUNCTION(doca_error_t, doca_sync_event_task_notify_add_alloc_init,
         struct doca_sync_event *, uint64_t, uint64_t *, union doca_data, struct doca_sync_event_task_notify_add **);
FUNCTION(struct doca_task *, doca_sync_event_task_notify_add_as_doca_task, struct doca_sync_event_task_notify_add *);
FUNCTION(uint64_t *, doca_sync_event_task_notify_add_get_fetched_val_ptr, const struct doca_sync_event_task_notify_add *);
FUNCTION(uint64_t, doca_sync_event_task_notify_add_get_inc_val, const struct doca_sync_event_task_notify_add *);
FUNCTION(doca_error_t, doca_sync_event_task_notify_add_set_conf,
         struct doca_sync_event *, doca_sync_event_task_notify_add_completion_cb_t,
         doca_sync_event_task_notify_add_completion_cb_t, uint32_t);
FUNCTION(void, doca_sync_event_task_notify_add_set_fetched_val_ptr, struct doca_sync_event_task_notify_add *, uint64_t *);
FUNCTION(void, doca_sync_event_task_notify_add_set_inc_val, struct doca_sync_event_task_notify_add *, uint64_t);
FUNCTION(doca_error_t, doca_sync_event_task_notify_set_alloc_init,
         struct doca_sync_event *, uint64_t, union doca_data, struct doca_sync_event_task_notify_set **);
FUNCTION(struct doca_task *, doca_sync_event_task_notify_set_as_doca_task, struct doca_sync_event_task_notify_set *);
FUNCTION(uint64_t, doca_sync_event_task_notify_set_get_set_val, const struct doca_sync_event_task_notify_set *);
FUNCTION(doca_error_t, doca_sync_event_task_notify_set_set_conf,
         struct doca_sync_event *, doca_sync_event_task_notify_set_completion_cb_t,
         doca_sync_event_task_notify_set_completion_cb_t, uint32_t);
FUNCTION(void, doca_sync_event_task_notify_set_set_set_val, struct doca_sync_event_task_notify_set *, uint64_t);
FUNCTION(doca_error_t, doca_sync_event_task_wait_gt_alloc_init,
         struct doca_sync_event *, uint64_t, uint64_t, union doca_data, struct doca_sync_event_task_wait_gt **);
FUNCTION(struct doca_task *, doca_sync_event_task_wait_gt_as_doca_task, struct doca_sync_event_task_wait_gt *);
FUNCTION(uint64_t, doca_sync_event_task_wait_gt_get_mask, const struct doca_sync_event_task_wait_gt *);
FUNCTION(uint64_t, doca_sync_event_task_wait_gt_get_wait_val, const struct doca_sync_event_task_wait_gt *);
FUNCTION(doca_error_t, doca_sync_event_task_wait_gt_set_conf,
         struct doca_sync_event *, doca_sync_event_task_wait_gt_completion_cb_t,
         doca_sync_event_task_wait_gt_completion_cb_t, uint32_t);
FUNCTION(void, doca_sync_event_task_wait_gt_set_mask, struct doca_sync_event_task_wait_gt *, uint64_t);
FUNCTION(void, doca_sync_event_task_wait_gt_set_wait_val, struct doca_sync_event_task_wait_gt *, uint64_t);
FUNCTION(doca_error_t, doca_sync_event_update_add, struct doca_sync_event *, uint64_t, uint64_t *);
FUNCTION(doca_error_t, doca_sync_event_update_set, struct doca_sync_event *, uint64_t);
FUNCTION(doca_error_t, doca_sync_event_wait_gt, struct doca_sync_event *, uint64_t, uint64_t);
FUNCTION(doca_error_t, doca_sync_event_wait_gt_yield, struct doca_sync_event *, uint64_t, uint64_t);
FUNCTION(const char *, doca_version, void);
FUNCTION(const char *, doca_version_runtime, void);

int
main(void) {
    return EXIT_SUCCESS;
}
