/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The types of the release as in its SDK: the layout of structures, and the parameters and results of each function.
 * The compiler checks all of it.
 */
#include <doca_buf.h>
#include <doca_buf_array.h>
#include <doca_buf_inventory.h>
#include <doca_bufpool.h>
#include <doca_comm_channel.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_dma.h>
#include <doca_error.h>
#include <doca_graph.h>
#include <doca_log.h>
#include <doca_mmap.h>
#include <doca_rdma.h>
#include <doca_rdma_bridge.h>
#include <doca_sync_event.h>
#include <doca_version.h>

#include <stddef.h>
#include <stdlib.h>

#define SIZE(type, size) _Static_assert(sizeof(type) == (size), "size of " #type)
#define MEMBER(type, member, offset, size) \
    _Static_assert(offsetof(type, member) == (offset) && sizeof(((type *)NULL)->member) == (size), \
                   "place of " #member " in " #type)
#define FUNCTION(type, function, ...) \
    _Static_assert(__builtin_types_compatible_p(__typeof__(function), type(__VA_ARGS__)), "type of " #function)
#define VALUE(constant, value) _Static_assert((constant) == (value), #constant)

SIZE(union doca_data, 8);
MEMBER(union doca_data, ptr, 0, 8);
MEMBER(union doca_data, u64, 0, 8);
SIZE(struct doca_job, 24);
MEMBER(struct doca_job, type, 0, 4);
MEMBER(struct doca_job, flags, 4, 4);
MEMBER(struct doca_job, ctx, 8, 8);
MEMBER(struct doca_job, user_data, 16, 8);
SIZE(struct doca_event, 24);
MEMBER(struct doca_event, type, 0, 4);
MEMBER(struct doca_event, user_data, 8, 8);
MEMBER(struct doca_event, result, 16, 8);
SIZE(struct doca_sync_event_result, 4);
MEMBER(struct doca_sync_event_result, result, 0, 4);
SIZE(struct doca_sync_event_job_wait, 40);
MEMBER(struct doca_sync_event_job_wait, base, 0, 24);
MEMBER(struct doca_sync_event_job_wait, value, 24, 8);
MEMBER(struct doca_sync_event_job_wait, mask, 32, 8);
SIZE(struct doca_sync_event_job_get, 32);
MEMBER(struct doca_sync_event_job_get, base, 0, 24);
MEMBER(struct doca_sync_event_job_get, value, 24, 8);
SIZE(struct doca_sync_event_job_update_set, 32);
MEMBER(struct doca_sync_event_job_update_set, base, 0, 24);
MEMBER(struct doca_sync_event_job_update_set, value, 24, 8);
SIZE(struct doca_sync_event_job_update_add, 40);
MEMBER(struct doca_sync_event_job_update_add, base, 0, 24);
MEMBER(struct doca_sync_event_job_update_add, value, 24, 8);
MEMBER(struct doca_sync_event_job_update_add, fetched, 32, 8);
SIZE(struct doca_sync_event_remote, 16);
MEMBER(struct doca_sync_event_remote, data, 0, 16);
SIZE(struct doca_dma_job_memcpy, 40);
MEMBER(struct doca_dma_job_memcpy, base, 0, 24);
MEMBER(struct doca_dma_job_memcpy, dst_buff, 24, 8);
MEMBER(struct doca_dma_job_memcpy, src_buff, 32, 8);
SIZE(struct doca_dma_memcpy_result, 4);
MEMBER(struct doca_dma_memcpy_result, result, 0, 4);
SIZE(struct doca_rdma_gid, 16);
MEMBER(struct doca_rdma_gid, raw, 0, 16);
SIZE(struct doca_rdma_job_recv, 32);
MEMBER(struct doca_rdma_job_recv, base, 0, 24);
MEMBER(struct doca_rdma_job_recv, dst_buff, 24, 8);
SIZE(struct doca_rdma_job_send, 48);
MEMBER(struct doca_rdma_job_send, base, 0, 24);
MEMBER(struct doca_rdma_job_send, src_buff, 24, 8);
MEMBER(struct doca_rdma_job_send, immediate_data, 32, 4);
MEMBER(struct doca_rdma_job_send, rdma_peer_addr, 40, 8);
SIZE(struct doca_rdma_job_read_write, 56);
MEMBER(struct doca_rdma_job_read_write, base, 0, 24);
MEMBER(struct doca_rdma_job_read_write, dst_buff, 24, 8);
MEMBER(struct doca_rdma_job_read_write, src_buff, 32, 8);
MEMBER(struct doca_rdma_job_read_write, immediate_data, 40, 4);
MEMBER(struct doca_rdma_job_read_write, rdma_peer_addr, 48, 8);
SIZE(struct doca_rdma_job_atomic, 64);
MEMBER(struct doca_rdma_job_atomic, base, 0, 24);
MEMBER(struct doca_rdma_job_atomic, cmp_or_add_dest_buff, 24, 8);
MEMBER(struct doca_rdma_job_atomic, result_buff, 32, 8);
MEMBER(struct doca_rdma_job_atomic, swap_or_add_data, 40, 8);
MEMBER(struct doca_rdma_job_atomic, cmp_data, 48, 8);
MEMBER(struct doca_rdma_job_atomic, rdma_peer_addr, 56, 8);
SIZE(struct doca_rdma_result, 32);
MEMBER(struct doca_rdma_result, result, 0, 4);
MEMBER(struct doca_rdma_result, opcode, 4, 4);
MEMBER(struct doca_rdma_result, length, 8, 4);
MEMBER(struct doca_rdma_result, rdma_peer_addr, 16, 8);
MEMBER(struct doca_rdma_result, immediate_data, 24, 4);

VALUE(DOCA_ACCESS_LOCAL_READ_ONLY, 0);
VALUE(DOCA_ACCESS_LOCAL_READ_WRITE, 1);
VALUE(DOCA_ACCESS_RDMA_READ, 2);
VALUE(DOCA_ACCESS_RDMA_WRITE, 4);
VALUE(DOCA_ACCESS_RDMA_ATOMIC, 8);
VALUE(DOCA_ACCESS_DPU_READ_ONLY, 16);
VALUE(DOCA_ACCESS_DPU_READ_WRITE, 32);
VALUE(DOCA_PCI_FUNC_PF, 0);
VALUE(DOCA_PCI_FUNC_VF, 1);
VALUE(DOCA_PCI_FUNC_SF, 2);
VALUE(DOCA_GPU_MEM_GPU, 0);
VALUE(DOCA_GPU_MEM_GPU_CPU, 1);
VALUE(DOCA_GPU_MEM_CPU, 2);
VALUE(DOCA_GPU_MEM_CPU_GPU, 3);
VALUE(DOCA_ETH_WAIT_ON_TIME_NONE, 0);
VALUE(DOCA_ETH_WAIT_ON_TIME_NATIVE, 1);
VALUE(DOCA_ETH_WAIT_ON_TIME_DPDK, 2);
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
VALUE(DOCA_DEV_REP_FILTER_ALL, 0);
VALUE(DOCA_DEV_REP_FILTER_NET, 2);
VALUE(DOCA_DEV_REP_FILTER_EMULATED, 4);
VALUE(DOCA_BUF_EXTENSION_NONE, 0);
VALUE(DOCA_ACTION_NONE, 0);
VALUE(DOCA_ACTION_DMA_FIRST, 65536);
VALUE(DOCA_ACTION_DEVEMU_FIRST, 131072);
VALUE(DOCA_ACTION_DEVEMU_PCI_FIRST, 196608);
VALUE(DOCA_ACTION_VIRTIO_FS_FIRST, 262144);
VALUE(DOCA_ACTION_VBLK_FIRST, 327680);
VALUE(DOCA_ACTION_REGEX_FIRST, 393216);
VALUE(DOCA_ACTION_NVME_FIRST, 458752);
VALUE(DOCA_ACTION_APPSHIELD_FIRST, 524288);
VALUE(DOCA_ACTION_SHA_FIRST, 589824);
VALUE(DOCA_ACTION_COMPRESS_FIRST, 655360);
VALUE(DOCA_ACTION_IPSEC_FIRST, 720896);
VALUE(DOCA_ACTION_RMAX_FIRST, 786432);
VALUE(DOCA_ACTION_RDMA_FIRST, 851968);
VALUE(DOCA_ACTION_GRAPH_FIRST, 917504);
VALUE(DOCA_ACTION_SYNC_EVENT_FIRST, 983040);
VALUE(DOCA_ACTION_DPI_FIRST, 1048576);
VALUE(DOCA_ACTION_EC_FIRST, 1114112);
VALUE(DOCA_ACTION_NVRD_TRANSPORT_FIRST, 1179648);
VALUE(DOCA_JOB_FLAGS_NONE, 0);
VALUE(DOCA_WORKQ_RETRIEVE_FLAGS_NONE, 0);
VALUE(DOCA_LOG_LEVEL_CRIT, 20);
VALUE(DOCA_LOG_LEVEL_ERROR, 30);
VALUE(DOCA_LOG_LEVEL_WARNING, 40);
VALUE(DOCA_LOG_LEVEL_INFO, 50);
VALUE(DOCA_LOG_LEVEL_DEBUG, 60);
VALUE(DOCA_SYNC_EVENT_JOB_WAIT_GT, 983041);
VALUE(DOCA_SYNC_EVENT_JOB_GET, 983042);
VALUE(DOCA_SYNC_EVENT_JOB_UPDATE_SET, 983043);
VALUE(DOCA_SYNC_EVENT_JOB_UPDATE_ADD, 983044);
VALUE(DOCA_GRAPH_JOB, 917505);
VALUE(DOCA_GRAPH_INSTANCE_NODE_STATE_NOT_STARTED, 0);
VALUE(DOCA_GRAPH_INSTANCE_NODE_STATE_STARTED, 1);
VALUE(DOCA_GRAPH_INSTANCE_NODE_STATE_COMPLETED, 2);
VALUE(DOCA_GRAPH_INSTANCE_NODE_STATE_ERROR, 3);
VALUE(DOCA_DMA_JOB_MEMCPY, 65537);
VALUE(DOCA_RDMA_STATE_RESET, 0);
VALUE(DOCA_RDMA_STATE_INIT, 1);
VALUE(DOCA_RDMA_STATE_CONNECTED, 2);
VALUE(DOCA_RDMA_STATE_ERROR, 3);
VALUE(DOCA_RDMA_TRANSPORT_RC, 0);
VALUE(DOCA_RDMA_TRANSPORT_DC, 1);
VALUE(DOCA_RDMA_JOB_RECV, 851969);
VALUE(DOCA_RDMA_JOB_SEND, 851970);
VALUE(DOCA_RDMA_JOB_SEND_IMM, 851971);
VALUE(DOCA_RDMA_JOB_READ, 851972);
VALUE(DOCA_RDMA_JOB_WRITE, 851973);
VALUE(DOCA_RDMA_JOB_WRITE_IMM, 851974);
VALUE(DOCA_RDMA_JOB_ATOMIC_CMP_SWP, 851975);
VALUE(DOCA_RDMA_JOB_ATOMIC_FETCH_ADD, 851976);
VALUE(DOCA_RDMA_OPCODE_RECV_SEND, 0);
VALUE(DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM, 1);
VALUE(DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM, 2);
VALUE(DOCA_CC_MSG_FLAG_NONE, 0);

FUNCTION(doca_error_t, doca_buf_get_data, const struct doca_buf *buf, void **data);
FUNCTION(doca_error_t, doca_buf_get_data_len, const struct doca_buf *buf, size_t *data_len);
FUNCTION(doca_error_t, doca_buf_get_head, const struct doca_buf *buf, void **head);
FUNCTION(doca_error_t, doca_buf_get_len, const struct doca_buf *buf, size_t *len);
FUNCTION(doca_error_t, doca_buf_get_refcount, struct doca_buf *buf, uint16_t *refcount);
FUNCTION(doca_error_t, doca_buf_is_in_list, const struct doca_buf *buf, uint8_t *is_in_list);
FUNCTION(doca_error_t, doca_buf_list_chain, struct doca_buf *list1, struct doca_buf *list2);
FUNCTION(doca_error_t, doca_buf_list_is_first, const struct doca_buf *buf, _Bool *is_first);
FUNCTION(doca_error_t, doca_buf_list_is_last, const struct doca_buf *buf, _Bool *is_last);
FUNCTION(doca_error_t, doca_buf_list_last, struct doca_buf *buf, struct doca_buf **last_buf);
FUNCTION(doca_error_t, doca_buf_list_next, struct doca_buf *buf, struct doca_buf **next_buf);
FUNCTION(doca_error_t, doca_buf_list_num_elements, const struct doca_buf *buf, uint32_t *num_elements);
FUNCTION(doca_error_t, doca_buf_list_unchain, struct doca_buf *list1, struct doca_buf *list2);
FUNCTION(doca_error_t, doca_buf_refcount_add, struct doca_buf *buf, uint16_t *refcount);
FUNCTION(doca_error_t, doca_buf_refcount_rm, struct doca_buf *buf, uint16_t *refcount);
FUNCTION(doca_error_t, doca_buf_reset_data_len, struct doca_buf *buf);
FUNCTION(doca_error_t, doca_buf_set_data, struct doca_buf *buf, void *data, size_t data_len);
FUNCTION(doca_error_t, doca_buf_arr_create, struct doca_mmap *mmap, struct doca_buf_arr **buf_arr);
FUNCTION(doca_error_t, doca_buf_arr_destroy, struct doca_buf_arr *buf_arr);
FUNCTION(doca_error_t, doca_buf_arr_get_gpu_handle,
         const struct doca_buf_arr *buf_arr, struct doca_gpu_buf_arr **gpu_buf_arr);
FUNCTION(doca_error_t, doca_buf_arr_set_params,
         struct doca_buf_arr *buf_arr, size_t size, uint32_t num_elem, uint32_t start_offset);
FUNCTION(doca_error_t, doca_buf_arr_set_target_gpu, struct doca_buf_arr *buf_arr, struct doca_gpu *gpu_handler);
FUNCTION(doca_error_t, doca_buf_arr_start, struct doca_buf_arr *buf_arr);
FUNCTION(doca_error_t, doca_buf_arr_stop, struct doca_buf_arr *buf_arr);
FUNCTION(doca_error_t, doca_buf_inventory_buf_by_addr,
         struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *addr, size_t len, struct doca_buf **buf);
FUNCTION(doca_error_t, doca_buf_inventory_buf_by_args,
         struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *addr, size_t len, void *data,
         size_t data_len, struct doca_buf **buf);
FUNCTION(doca_error_t, doca_buf_inventory_buf_by_data,
         struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *data, size_t data_len,
         struct doca_buf **buf);
FUNCTION(doca_error_t, doca_buf_inventory_buf_dup,
         struct doca_buf_inventory *inventory, const struct doca_buf *src_buf, struct doca_buf **dst_buf);
FUNCTION(doca_error_t, doca_buf_inventory_create,
         const union doca_data *user_data, size_t num_elements, uint32_t extensions,
         struct doca_buf_inventory **buf_inventory);
FUNCTION(doca_error_t, doca_buf_inventory_destroy, struct doca_buf_inventory *inventory);
FUNCTION(doca_error_t, doca_buf_inventory_get_num_elements,
         struct doca_buf_inventory *inventory, uint32_t *num_of_elements);
FUNCTION(doca_error_t, doca_buf_inventory_get_num_free_elements,
         struct doca_buf_inventory *inventory, uint32_t *num_of_free_elements);
FUNCTION(doca_error_t, doca_buf_inventory_get_user_data,
         struct doca_buf_inventory *inventory, union doca_data *user_data);
FUNCTION(doca_error_t, doca_buf_inventory_start, struct doca_buf_inventory *inventory);
FUNCTION(doca_error_t, doca_buf_inventory_stop, struct doca_buf_inventory *inventory);
FUNCTION(doca_error_t, doca_bufpool_buf_alloc, struct doca_bufpool *bufpool, struct doca_buf **buf);
FUNCTION(doca_error_t, doca_bufpool_create,
         const union doca_data *user_data, size_t num_elements, uint32_t extensions, size_t element_size,
         size_t element_alignment, const struct doca_mmap *mmap, struct doca_bufpool **bufpool);
FUNCTION(doca_error_t, doca_bufpool_destroy, struct doca_bufpool *bufpool);
FUNCTION(doca_error_t, doca_bufpool_get_num_elements, const struct doca_bufpool *bufpool, uint32_t *num_of_elements);
FUNCTION(doca_error_t, doca_bufpool_get_num_free_elements,
         const struct doca_bufpool *bufpool, uint32_t *num_of_free_elements);
FUNCTION(doca_error_t, doca_bufpool_get_user_data, const struct doca_bufpool *bufpool, union doca_data *user_data);
FUNCTION(doca_error_t, doca_bufpool_start, struct doca_bufpool *bufpool);
FUNCTION(doca_error_t, doca_bufpool_stop, struct doca_bufpool *bufpool);
FUNCTION(doca_error_t, doca_comm_channel_ep_connect,
         struct doca_comm_channel_ep_t *local_ep, const char *name, struct doca_comm_channel_addr_t **peer_addr);
FUNCTION(doca_error_t, doca_comm_channel_ep_create, struct doca_comm_channel_ep_t **ep);
FUNCTION(doca_error_t, doca_comm_channel_ep_destroy, struct doca_comm_channel_ep_t *local_ep);
FUNCTION(doca_error_t, doca_comm_channel_ep_disconnect,
         struct doca_comm_channel_ep_t *local_ep, struct doca_comm_channel_addr_t *peer_addr);
FUNCTION(doca_error_t, doca_comm_channel_ep_event_handle_arm_recv, struct doca_comm_channel_ep_t *local_ep);
FUNCTION(doca_error_t, doca_comm_channel_ep_event_handle_arm_send, struct doca_comm_channel_ep_t *local_ep);
FUNCTION(doca_error_t, doca_comm_channel_ep_get_device, struct doca_comm_channel_ep_t *ep, struct doca_dev **device);
FUNCTION(doca_error_t, doca_comm_channel_ep_get_device_rep,
         struct doca_comm_channel_ep_t *ep, struct doca_dev_rep **device_rep);
FUNCTION(doca_error_t, doca_comm_channel_ep_get_event_channel,
         struct doca_comm_channel_ep_t *local_ep, doca_event_channel_t *send_event_channel,
         doca_event_channel_t *recv_event_channel);
FUNCTION(doca_error_t, doca_comm_channel_ep_get_max_msg_size,
         struct doca_comm_channel_ep_t *ep, uint16_t *max_msg_size);
FUNCTION(doca_error_t, doca_comm_channel_ep_get_peer_addr_list,
         const struct doca_comm_channel_ep_t *local_ep, struct doca_comm_channel_addr_t ***peer_addr_array,
         uint32_t *peer_addr_array_len);
FUNCTION(doca_error_t, doca_comm_channel_ep_get_pending_connections,
         const struct doca_comm_channel_ep_t *local_ep, uint32_t *pending_connections);
FUNCTION(doca_error_t, doca_comm_channel_ep_get_recv_queue_size,
         struct doca_comm_channel_ep_t *ep, uint16_t *recv_queue_size);
FUNCTION(doca_error_t, doca_comm_channel_ep_get_send_queue_size,
         struct doca_comm_channel_ep_t *ep, uint16_t *send_queue_size);
FUNCTION(doca_error_t, doca_comm_channel_ep_get_service_event_channel,
         struct doca_comm_channel_ep_t *local_ep, doca_event_channel_t *service_event_channel);
FUNCTION(doca_error_t, doca_comm_channel_ep_listen, struct doca_comm_channel_ep_t *local_ep, const char *name);
FUNCTION(doca_error_t, doca_comm_channel_ep_recvfrom,
         struct doca_comm_channel_ep_t *local_ep, void *msg, size_t *len, int flags,
         struct doca_comm_channel_addr_t **peer_addr);
FUNCTION(doca_error_t, doca_comm_channel_ep_sendto,
         struct doca_comm_channel_ep_t *local_ep, const void *msg, size_t len, int flags,
         struct doca_comm_channel_addr_t *peer_addr);
FUNCTION(doca_error_t, doca_comm_channel_ep_set_device, struct doca_comm_channel_ep_t *ep, struct doca_dev *device);
FUNCTION(doca_error_t, doca_comm_channel_ep_set_device_rep,
         struct doca_comm_channel_ep_t *ep, struct doca_dev_rep *device_rep);
FUNCTION(doca_error_t, doca_comm_channel_ep_set_max_msg_size, struct doca_comm_channel_ep_t *ep, uint16_t max_msg_size);
FUNCTION(doca_error_t, doca_comm_channel_ep_set_recv_queue_size,
         struct doca_comm_channel_ep_t *ep, uint16_t recv_queue_size);
FUNCTION(doca_error_t, doca_comm_channel_ep_set_send_queue_size,
         struct doca_comm_channel_ep_t *ep, uint16_t send_queue_size);
FUNCTION(doca_error_t, doca_comm_channel_ep_update_service_state_info, struct doca_comm_channel_ep_t *local_ep);
FUNCTION(doca_error_t, doca_comm_channel_get_max_message_size,
         struct doca_devinfo *devinfo, uint32_t *max_message_size);
FUNCTION(doca_error_t, doca_comm_channel_get_max_recv_queue_size,
         struct doca_devinfo *devinfo, uint32_t *max_recv_queue_size);
FUNCTION(doca_error_t, doca_comm_channel_get_max_send_queue_size,
         struct doca_devinfo *devinfo, uint32_t *max_send_queue_size);
FUNCTION(doca_error_t, doca_comm_channel_get_max_service_name_len, uint32_t *max_service_name_len);
FUNCTION(doca_error_t, doca_comm_channel_get_service_max_num_connections,
         struct doca_devinfo *devinfo, uint32_t *max_num_connections);
FUNCTION(doca_error_t, doca_comm_channel_peer_addr_get_recv_bytes,
         const struct doca_comm_channel_addr_t *peer_addr, uint64_t *recv_bytes);
FUNCTION(doca_error_t, doca_comm_channel_peer_addr_get_recv_messages,
         const struct doca_comm_channel_addr_t *peer_addr, uint64_t *recv_messages);
FUNCTION(doca_error_t, doca_comm_channel_peer_addr_get_send_bytes,
         const struct doca_comm_channel_addr_t *peer_addr, uint64_t *send_bytes);
FUNCTION(doca_error_t, doca_comm_channel_peer_addr_get_send_in_flight_messages,
         const struct doca_comm_channel_addr_t *peer_addr, uint64_t *send_in_flight_messages);
FUNCTION(doca_error_t, doca_comm_channel_peer_addr_get_send_messages,
         const struct doca_comm_channel_addr_t *peer_addr, uint64_t *send_messages);
FUNCTION(doca_error_t, doca_comm_channel_peer_addr_get_user_data,
         struct doca_comm_channel_addr_t *peer_addr, uint64_t *user_data);
FUNCTION(doca_error_t, doca_comm_channel_peer_addr_set_user_data,
         struct doca_comm_channel_addr_t *peer_addr, uint64_t user_context);
FUNCTION(doca_error_t, doca_comm_channel_peer_addr_update_info, struct doca_comm_channel_addr_t *peer_addr);
FUNCTION(doca_error_t, doca_ctx_dev_add, struct doca_ctx *ctx, struct doca_dev *dev);
FUNCTION(doca_error_t, doca_ctx_dev_rm, struct doca_ctx *ctx, struct doca_dev *dev);
FUNCTION(doca_error_t, doca_ctx_get_event_driven_supported, struct doca_ctx *ctx, uint8_t *event_supported);
FUNCTION(doca_error_t, doca_ctx_get_max_num_ctx, uint32_t *max_num_ctx);
FUNCTION(doca_error_t, doca_ctx_set_datapath_on_gpu, struct doca_ctx *ctx, struct doca_gpu *gpu_dev);
FUNCTION(doca_error_t, doca_ctx_start, struct doca_ctx *ctx);
FUNCTION(doca_error_t, doca_ctx_stop, struct doca_ctx *ctx);
FUNCTION(doca_error_t, doca_ctx_workq_add, struct doca_ctx *ctx, struct doca_workq *workq);
FUNCTION(doca_error_t, doca_ctx_workq_rm, struct doca_ctx *ctx, struct doca_workq *workq);
FUNCTION(doca_error_t, doca_workq_create, uint32_t depth, struct doca_workq **workq);
FUNCTION(doca_error_t, doca_workq_destroy, struct doca_workq *workq);
FUNCTION(doca_error_t, doca_workq_event_handle_arm, struct doca_workq *workq);
FUNCTION(doca_error_t, doca_workq_event_handle_clear, struct doca_workq *workq, doca_event_handle_t handle);
FUNCTION(doca_error_t, doca_workq_get_depth, const struct doca_workq *workq, uint32_t *depth);
FUNCTION(doca_error_t, doca_workq_get_event_driven_enable, struct doca_workq *workq, uint8_t *enabled);
FUNCTION(doca_error_t, doca_workq_get_event_handle, struct doca_workq *workq, doca_event_handle_t *handle);
FUNCTION(doca_error_t, doca_workq_progress_retrieve, struct doca_workq *workq, struct doca_event *ev, int flags);
FUNCTION(doca_error_t, doca_workq_set_event_driven_enable, struct doca_workq *workq, uint8_t enable);
FUNCTION(doca_error_t, doca_workq_set_event_handle,
         struct doca_workq *workq, doca_event_handle_t event_handle, uintptr_t completion_key);
FUNCTION(doca_error_t, doca_workq_submit, struct doca_workq *workq, const struct doca_job *job);
FUNCTION(struct doca_devinfo *, doca_dev_as_devinfo, const struct doca_dev *dev);
FUNCTION(doca_error_t, doca_dev_close, struct doca_dev *dev);
FUNCTION(doca_error_t, doca_dev_open, struct doca_devinfo *devinfo, struct doca_dev **dev);
FUNCTION(struct doca_devinfo_rep *, doca_dev_rep_as_devinfo, struct doca_dev_rep *dev_rep);
FUNCTION(doca_error_t, doca_dev_rep_close, struct doca_dev_rep *dev);
FUNCTION(doca_error_t, doca_dev_rep_open, struct doca_devinfo_rep *devinfo, struct doca_dev_rep **dev_rep);
FUNCTION(doca_error_t, doca_devinfo_get_ibdev_name,
         const struct doca_devinfo *devinfo, char *ibdev_name, uint32_t size);
FUNCTION(doca_error_t, doca_devinfo_get_iface_name,
         const struct doca_devinfo *devinfo, char *iface_name, uint32_t size);
FUNCTION(doca_error_t, doca_devinfo_get_ipv4_addr,
         const struct doca_devinfo *devinfo, uint8_t *ipv4_addr, uint32_t size);
FUNCTION(doca_error_t, doca_devinfo_get_ipv6_addr,
         const struct doca_devinfo *devinfo, uint8_t *ipv6_addr, uint32_t size);
FUNCTION(doca_error_t, doca_devinfo_get_is_hotplug_manager_supported,
         const struct doca_devinfo *devinfo, uint8_t *is_hotplug_manager);
FUNCTION(doca_error_t, doca_devinfo_get_is_mmap_export_dpu_supported,
         const struct doca_devinfo *devinfo, uint8_t *mmap_export);
FUNCTION(doca_error_t, doca_devinfo_get_is_mmap_from_export_dpu_supported,
         const struct doca_devinfo *devinfo, uint8_t *from_export);
FUNCTION(doca_error_t, doca_devinfo_get_is_pci_addr_equal,
         const struct doca_devinfo *devinfo, const char *pci_addr_str, uint8_t *is_equal);
FUNCTION(doca_error_t, doca_devinfo_get_lid, const struct doca_devinfo *devinfo, uint16_t *lid);
FUNCTION(doca_error_t, doca_devinfo_get_mac_addr, const struct doca_devinfo *devinfo, uint8_t *mac_addr, uint32_t size);
FUNCTION(doca_error_t, doca_devinfo_get_pci_addr_str, const struct doca_devinfo *devinfo, char *pci_addr_str);
FUNCTION(doca_error_t, doca_devinfo_list_create, struct doca_devinfo ***dev_list, uint32_t *nb_devs);
FUNCTION(doca_error_t, doca_devinfo_list_destroy, struct doca_devinfo **dev_list);
FUNCTION(doca_error_t, doca_devinfo_rep_get_is_list_all_supported,
         const struct doca_devinfo *devinfo, uint8_t *all_supported);
FUNCTION(doca_error_t, doca_devinfo_rep_get_is_list_emulated_supported,
         const struct doca_devinfo *devinfo, uint8_t *emulated_supported);
FUNCTION(doca_error_t, doca_devinfo_rep_get_is_list_net_supported,
         const struct doca_devinfo *devinfo, uint8_t *net_supported);
FUNCTION(doca_error_t, doca_devinfo_rep_get_is_pci_addr_equal,
         const struct doca_devinfo_rep *devinfo_rep, const char *pci_addr_str, uint8_t *is_equal);
FUNCTION(doca_error_t, doca_devinfo_rep_get_pci_addr_str,
         const struct doca_devinfo_rep *devinfo_rep, char *pci_addr_str);
FUNCTION(doca_error_t, doca_devinfo_rep_get_pci_func_type,
         const struct doca_devinfo_rep *devinfo_rep, enum doca_pci_func_type *pci_func_type);
FUNCTION(doca_error_t, doca_devinfo_rep_get_vuid,
         const struct doca_devinfo_rep *devinfo_rep, char *rep_vuid, uint32_t size);
FUNCTION(doca_error_t, doca_devinfo_rep_list_create,
         struct doca_dev *dev, int filter, struct doca_devinfo_rep ***dev_list_rep, uint32_t *nb_devs_rep);
FUNCTION(doca_error_t, doca_devinfo_rep_list_destroy, struct doca_devinfo_rep **dev_list_rep);
FUNCTION(struct doca_ctx *, doca_dma_as_ctx, struct doca_dma *dma);
FUNCTION(doca_error_t, doca_dma_create, struct doca_dma **dma);
FUNCTION(doca_error_t, doca_dma_destroy, struct doca_dma *dma);
FUNCTION(doca_error_t, doca_dma_get_max_buf_size, const struct doca_devinfo *devinfo, uint64_t *buf_size);
FUNCTION(doca_error_t, doca_dma_get_max_list_buf_num_elem,
         const struct doca_devinfo *devinfo, uint32_t *max_list_num_elem);
FUNCTION(doca_error_t, doca_dma_job_get_supported, struct doca_devinfo *devinfo, enum doca_dma_job_types job_type);
FUNCTION(const char *, doca_get_error_name, doca_error_t error);
FUNCTION(const char *, doca_get_error_string, doca_error_t error);
FUNCTION(doca_error_t, doca_graph_add_dependency,
         struct doca_graph *graph, struct doca_graph_node *from, struct doca_graph_node *to);
FUNCTION(doca_error_t, doca_graph_create, struct doca_graph **graph);
FUNCTION(doca_error_t, doca_graph_ctx_node_create,
         struct doca_graph *graph, int job_type, const struct doca_ctx *ctx, struct doca_graph_node **node);
FUNCTION(doca_error_t, doca_graph_destroy, struct doca_graph *graph);
FUNCTION(doca_error_t, doca_graph_instance_create,
         const struct doca_graph *graph, struct doca_graph_instance **graph_instance);
FUNCTION(doca_error_t, doca_graph_instance_destroy, struct doca_graph_instance *graph_instance);
FUNCTION(doca_error_t, doca_graph_instance_get_failed_nodes,
         const struct doca_graph_instance *graph_instance, const struct doca_graph_node **failed_nodes,
         uint32_t *num_failed_nodes);
FUNCTION(doca_error_t, doca_graph_instance_get_num_failed_nodes,
         const struct doca_graph_instance *graph_instance, uint32_t *num_failed_nodes);
FUNCTION(doca_error_t, doca_graph_instance_node_get_result,
         const struct doca_graph_instance *graph_instance, const struct doca_graph_node *node,
         union doca_data *result);
FUNCTION(doca_error_t, doca_graph_instance_node_get_state,
         const struct doca_graph_instance *graph_instance, const struct doca_graph_node *node,
         enum doca_graph_instance_node_state *state);
FUNCTION(doca_error_t, doca_graph_instance_set_ctx_node_data,
         struct doca_graph_instance *graph_instance, struct doca_graph_node *node, struct doca_job *job,
         struct doca_event *ev);
FUNCTION(doca_error_t, doca_graph_instance_set_sub_graph_node_data,
         struct doca_graph_instance *graph_instance, struct doca_graph_node *node,
         struct doca_graph_instance *sub_graph_instance, struct doca_event *ev);
FUNCTION(doca_error_t, doca_graph_instance_set_user_node_data,
         struct doca_graph_instance *graph_instance, struct doca_graph_node *node, void *cookie,
         struct doca_event *ev);
FUNCTION(doca_error_t, doca_graph_start, struct doca_graph *graph);
FUNCTION(doca_error_t, doca_graph_stop, struct doca_graph *graph);
FUNCTION(doca_error_t, doca_graph_sub_graph_node_create,
         struct doca_graph *graph, struct doca_graph *sub_graph, struct doca_graph_node **node);
FUNCTION(doca_error_t, doca_graph_user_node_create,
         struct doca_graph *graph, doca_graph_user_node_cb_t cb, struct doca_graph_node **node);
FUNCTION(doca_error_t, doca_graph_workq_add, struct doca_graph *graph, struct doca_workq *workq);
FUNCTION(doca_error_t, doca_graph_workq_rm, struct doca_graph *graph, struct doca_workq *workq);
FUNCTION(doca_error_t, doca_workq_graph_submit,
         struct doca_workq *workq, struct doca_graph_instance *graph_instance, union doca_data user_data);
FUNCTION(doca_error_t, doca_log, uint32_t level, int source, int line, const char *format, ...);
FUNCTION(doca_error_t, doca_log_backend_level_set, struct doca_logger_backend *logger, uint32_t level);
FUNCTION(doca_error_t, doca_log_backend_set_lower_level_immutable, struct doca_logger_backend *logger);
FUNCTION(doca_error_t, doca_log_backend_set_upper_level_immutable, struct doca_logger_backend *logger);
FUNCTION(doca_error_t, doca_log_backend_set_upper_level_limit,
         struct doca_logger_backend *logger, uint32_t upper_level_limit);
FUNCTION(doca_error_t, doca_log_create_buffer_backend,
         char *buffer, size_t capacity, log_flush_callback handler, struct doca_logger_backend **backend);
FUNCTION(doca_error_t, doca_log_create_fd_backend, int fd, struct doca_logger_backend **backend);
FUNCTION(doca_error_t, doca_log_create_file_backend, FILE *fptr, struct doca_logger_backend **backend);
FUNCTION(doca_error_t, doca_log_create_standard_backend, void);
FUNCTION(doca_error_t, doca_log_create_syslog_backend, const char *name, struct doca_logger_backend **backend);
FUNCTION(doca_error_t, doca_log_developer, uint32_t level, int source, int line, const char *format, ...);
FUNCTION(uint16_t, doca_log_get_bucket_time, void);
FUNCTION(uint16_t, doca_log_get_quantity, void);
FUNCTION(uint32_t, doca_log_global_level_get, void);
FUNCTION(doca_error_t, doca_log_global_level_set, uint32_t level);
FUNCTION(doca_error_t, doca_log_global_set_upper_level_limit, uint32_t upper_level_limit);
FUNCTION(doca_error_t, doca_log_rate_bucket_register, int source, int *bucket);
FUNCTION(doca_error_t, doca_log_rate_limit, uint32_t level, int source, int line, int bucket, const char *format, ...);
FUNCTION(void, doca_log_set_bucket_time, uint16_t bucket_time);
FUNCTION(void, doca_log_set_quantity, uint16_t quantity);
FUNCTION(doca_error_t, doca_log_source_destroy, int source);
FUNCTION(doca_error_t, doca_log_source_register, const char *source_name, int *source);
FUNCTION(doca_error_t, doca_mmap_create, const union doca_data *user_data, struct doca_mmap **mmap);
FUNCTION(doca_error_t, doca_mmap_create_from_export,
         const union doca_data *user_data, const void *export_desc, size_t export_desc_len, struct doca_dev *dev,
         struct doca_mmap **mmap);
FUNCTION(doca_error_t, doca_mmap_destroy, struct doca_mmap *mmap);
FUNCTION(doca_error_t, doca_mmap_dev_add, struct doca_mmap *mmap, struct doca_dev *dev);
FUNCTION(doca_error_t, doca_mmap_dev_rm, struct doca_mmap *mmap, struct doca_dev *dev);
FUNCTION(doca_error_t, doca_mmap_export_dpu,
         struct doca_mmap *mmap, const struct doca_dev *dev, const void **export_desc, size_t *export_desc_len);
FUNCTION(doca_error_t, doca_mmap_export_rdma,
         struct doca_mmap *mmap, const struct doca_dev *dev, const void **export_desc, size_t *export_desc_len);
FUNCTION(doca_error_t, doca_mmap_get_exported, struct doca_mmap *mmap, uint8_t *exported);
FUNCTION(doca_error_t, doca_mmap_get_from_export, struct doca_mmap *mmap, uint8_t *from_export);
FUNCTION(doca_error_t, doca_mmap_get_max_num_devices, struct doca_mmap *mmap, uint32_t *max_num_devices);
FUNCTION(doca_error_t, doca_mmap_get_memrange, const struct doca_mmap *mmap, void **addr, size_t *len);
FUNCTION(doca_error_t, doca_mmap_get_num_bufs, struct doca_mmap *mmap, uint32_t *num_bufs);
FUNCTION(doca_error_t, doca_mmap_get_user_data, struct doca_mmap *mmap, union doca_data *user_data);
FUNCTION(doca_error_t, doca_mmap_set_dmabuf_memrange, struct doca_mmap *mmap, int dmabuf_fd, size_t offset, size_t len);
FUNCTION(doca_error_t, doca_mmap_set_free_cb,
         struct doca_mmap *mmap, doca_mmap_memrange_free_cb_t *free_cb, void *opaque);
FUNCTION(doca_error_t, doca_mmap_set_max_num_devices, struct doca_mmap *mmap, uint32_t max_num_devices);
FUNCTION(doca_error_t, doca_mmap_set_memrange, struct doca_mmap *mmap, void *addr, size_t len);
FUNCTION(doca_error_t, doca_mmap_set_permissions, struct doca_mmap *mmap, uint32_t access_mask);
FUNCTION(doca_error_t, doca_mmap_start, struct doca_mmap *mmap);
FUNCTION(doca_error_t, doca_mmap_stop, struct doca_mmap *mmap);
FUNCTION(struct doca_ctx *, doca_rdma_as_ctx, struct doca_rdma *rdma);
FUNCTION(doca_error_t, doca_rdma_connect,
         struct doca_rdma *rdma, const void *remote_rdma_conn_details, size_t remote_rdma_conn_details_size);
FUNCTION(doca_error_t, doca_rdma_create, struct doca_rdma **rdma);
FUNCTION(doca_error_t, doca_rdma_destroy, struct doca_rdma *rdma);
FUNCTION(doca_error_t, doca_rdma_export,
         const struct doca_rdma *rdma, const void **local_rdma_conn_details, size_t *local_rdma_conn_details_size);
FUNCTION(doca_error_t, doca_rdma_get_gid,
         struct doca_devinfo *devinfo, uint32_t start_index, uint32_t num_entries, struct doca_rdma_gid *gid_array);
FUNCTION(doca_error_t, doca_rdma_get_gid_index, const struct doca_rdma *rdma, uint32_t *gid_index);
FUNCTION(doca_error_t, doca_rdma_get_gid_table_size, struct doca_devinfo *devinfo, uint32_t *gid_table_size);
FUNCTION(doca_error_t, doca_rdma_get_grh_enabled, const struct doca_rdma *rdma, _Bool *grh_enabled);
FUNCTION(doca_error_t, doca_rdma_get_max_buf_chain_len,
         const struct doca_devinfo *devinfo, enum doca_rdma_job_types job_type,
         enum doca_rdma_transport_type transport_type, uint32_t *max_buf_chain_len);
FUNCTION(doca_error_t, doca_rdma_get_max_message_size, const struct doca_devinfo *devinfo, uint32_t *max_message_size);
FUNCTION(doca_error_t, doca_rdma_get_max_recv_queue_size,
         const struct doca_devinfo *devinfo, uint32_t *max_recv_queue_size);
FUNCTION(doca_error_t, doca_rdma_get_max_send_queue_size,
         const struct doca_devinfo *devinfo, uint32_t *max_send_queue_size);
FUNCTION(doca_error_t, doca_rdma_get_mtu, const struct doca_rdma *rdma, enum doca_mtu_size *mtu);
FUNCTION(doca_error_t, doca_rdma_get_permissions, struct doca_rdma *rdma, uint32_t *permissions);
FUNCTION(doca_error_t, doca_rdma_get_recv_buf_chain_len, const struct doca_rdma *rdma, uint32_t *recv_buf_chain_len);
FUNCTION(doca_error_t, doca_rdma_get_recv_queue_size, const struct doca_rdma *rdma, uint32_t *recv_queue_size);
FUNCTION(doca_error_t, doca_rdma_get_send_queue_size, const struct doca_rdma *rdma, uint32_t *send_queue_size);
FUNCTION(doca_error_t, doca_rdma_get_sl, const struct doca_rdma *rdma, uint32_t *sl);
FUNCTION(doca_error_t, doca_rdma_get_state, const struct doca_rdma *rdma, enum doca_rdma_state *state);
FUNCTION(doca_error_t, doca_rdma_get_transport_type,
         const struct doca_rdma *rdma, enum doca_rdma_transport_type *transport_type);
FUNCTION(doca_error_t, doca_rdma_get_transport_type_supported,
         const struct doca_devinfo *devinfo, enum doca_rdma_transport_type transport_type);
FUNCTION(doca_error_t, doca_rdma_job_get_supported,
         const struct doca_devinfo *devinfo, enum doca_rdma_job_types job_type);
FUNCTION(doca_error_t, doca_rdma_set_gid_index, struct doca_rdma *rdma, uint32_t gid_index);
FUNCTION(doca_error_t, doca_rdma_set_grh_enabled, struct doca_rdma *rdma, _Bool grh_enabled);
FUNCTION(doca_error_t, doca_rdma_set_mtu, struct doca_rdma *rdma, enum doca_mtu_size mtu);
FUNCTION(doca_error_t, doca_rdma_set_permissions, struct doca_rdma *rdma, uint32_t permissions);
FUNCTION(doca_error_t, doca_rdma_set_recv_buf_chain_len, struct doca_rdma *rdma, uint32_t recv_buf_chain_len);
FUNCTION(doca_error_t, doca_rdma_set_recv_queue_size, struct doca_rdma *rdma, uint32_t recv_queue_size);
FUNCTION(doca_error_t, doca_rdma_set_send_queue_size, struct doca_rdma *rdma, uint32_t send_queue_size);
FUNCTION(doca_error_t, doca_rdma_set_sl, struct doca_rdma *rdma, uint32_t sl);
FUNCTION(doca_error_t, doca_rdma_set_transport_type,
         struct doca_rdma *rdma, enum doca_rdma_transport_type transport_type);
FUNCTION(doca_error_t, doca_buf_get_mkey, const struct doca_buf *buf, struct doca_dev *dev, uint32_t *mkey);
FUNCTION(doca_error_t, doca_dev_get_pd, const struct doca_dev *dev, struct ibv_pd **pd);
FUNCTION(doca_error_t, doca_dev_open_from_pd, struct ibv_pd *pd, struct doca_dev **dev);
FUNCTION(struct doca_ctx *, doca_sync_event_as_ctx, struct doca_sync_event *event);
FUNCTION(doca_error_t, doca_sync_event_create, struct doca_sync_event **event);
FUNCTION(doca_error_t, doca_sync_event_create_from_export,
         struct doca_dev *dev, const uint8_t *data, size_t sz, struct doca_sync_event **event);
FUNCTION(doca_error_t, doca_sync_event_destroy, struct doca_sync_event *event);
FUNCTION(doca_error_t, doca_sync_event_export_remote, struct doca_sync_event *event, doca_sync_event_remote_t *handle);
FUNCTION(doca_error_t, doca_sync_event_export_to_dpa,
         struct doca_sync_event *event, struct doca_dpa *dpa, doca_dpa_dev_sync_event_t *dpa_dev_se_handle);
FUNCTION(doca_error_t, doca_sync_event_export_to_dpu,
         struct doca_sync_event *event, struct doca_dev *dev, const uint8_t **data, size_t *sz);
FUNCTION(doca_error_t, doca_sync_event_export_to_gpu,
         struct doca_sync_event *event, struct doca_gpu *gpu, doca_gpu_dev_sync_event_t **gpu_dev_se);
FUNCTION(doca_error_t, doca_sync_event_get, struct doca_sync_event *event, uint64_t *value);
FUNCTION(doca_error_t, doca_sync_event_get_create_from_export_supported, const struct doca_devinfo *devinfo);
FUNCTION(doca_error_t, doca_sync_event_get_export_to_dpa_supported, const struct doca_devinfo *devinfo);
FUNCTION(doca_error_t, doca_sync_event_get_export_to_dpu_supported, const struct doca_devinfo *devinfo);
FUNCTION(doca_error_t, doca_sync_event_get_export_to_gpu_supported, const struct doca_devinfo *devinfo);
FUNCTION(doca_error_t, doca_sync_event_job_get_supported,
         struct doca_devinfo *devinfo, enum doca_sync_event_job_types type);
FUNCTION(doca_error_t, doca_sync_event_publisher_add_location_cpu, struct doca_sync_event *event, struct doca_dev *dev);
FUNCTION(doca_error_t, doca_sync_event_publisher_add_location_dpa, struct doca_sync_event *event, struct doca_dpa *dpa);
FUNCTION(doca_error_t, doca_sync_event_publisher_add_location_dpu, struct doca_sync_event *event);
FUNCTION(doca_error_t, doca_sync_event_publisher_add_location_gpu, struct doca_sync_event *event, struct doca_gpu *gpu);
FUNCTION(doca_error_t, doca_sync_event_set_addr, struct doca_sync_event *event, uint64_t *addr);
FUNCTION(doca_error_t, doca_sync_event_start, struct doca_sync_event *event);
FUNCTION(doca_error_t, doca_sync_event_stop, struct doca_sync_event *event);
FUNCTION(doca_error_t, doca_sync_event_subscriber_add_location_cpu,
         struct doca_sync_event *event, struct doca_dev *dev);
FUNCTION(doca_error_t, doca_sync_event_subscriber_add_location_dpa,
         struct doca_sync_event *event, struct doca_dpa *dpa);
FUNCTION(doca_error_t, doca_sync_event_subscriber_add_location_dpu, struct doca_sync_event *event);
FUNCTION(doca_error_t, doca_sync_event_subscriber_add_location_gpu,
         struct doca_sync_event *event, struct doca_gpu *gpu);
FUNCTION(doca_error_t, doca_sync_event_update_add, struct doca_sync_event *event, uint64_t value, uint64_t *fetched);
FUNCTION(doca_error_t, doca_sync_event_update_set, struct doca_sync_event *event, uint64_t value);
FUNCTION(doca_error_t, doca_sync_event_wait_gt, struct doca_sync_event *event, uint64_t value, uint64_t mask);
FUNCTION(doca_error_t, doca_sync_event_wait_gt_yield, struct doca_sync_event *event, uint64_t value, uint64_t mask);
FUNCTION(const char *, doca_version, void);
FUNCTION(const char *, doca_version_runtime, void);

int
main(void) {
    return EXIT_SUCCESS;
}
