/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ABI of DOCA 2.0 to 2.2, and the parts of it that 1.5 has (see release_1_5.h), as far as it is called here. Types
 * and constants that have another meaning in later releases begin with old_. Devices, memory maps, inventories and
 * buffers are passed through and keep their names.
 *
 * Each list contains functions with their result, name and parameters.
 */
#ifndef DOCA_COMPAT_OLD_SDK_H_
#define DOCA_COMPAT_OLD_SDK_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_dev.h>
#include <doca_error.h>
#include <doca_log.h>
#include <doca_mmap.h>
#include <doca_types.h>

struct doca_buf;
struct doca_buf_inventory;
struct doca_mmap;
struct ibv_pd;

struct old_bufpool;
struct old_ctx;
struct old_dma;
struct old_logger_backend;
struct old_rdma;
struct old_sync_event;
struct old_workq;

/* The first member of each kind of job. Submission copies the job. */
struct old_job {
    int type;
    int flags;
    struct old_ctx *ctx;
    union doca_data user_data;
};

struct old_event {
    int type;
    union doca_data user_data;
    union doca_data result;
};

enum {
    OLD_JOB_DMA_MEMCPY = 0x10001,
    OLD_JOB_RDMA_RECEIVE = 0xd0001,
    OLD_JOB_RDMA_SEND = 0xd0002,
    OLD_JOB_RDMA_SEND_IMM = 0xd0003,
    OLD_JOB_RDMA_READ = 0xd0004,
    OLD_JOB_RDMA_WRITE = 0xd0005,
    OLD_JOB_RDMA_WRITE_IMM = 0xd0006,
    OLD_JOB_RDMA_ATOMIC_CMP_SWP = 0xd0007,
    OLD_JOB_RDMA_ATOMIC_FETCH_ADD = 0xd0008,
    OLD_JOB_SYNC_EVENT_WAIT_GT = 0xf0001,
    OLD_JOB_SYNC_EVENT_GET = 0xf0002,
    OLD_JOB_SYNC_EVENT_SET = 0xf0003,
    OLD_JOB_SYNC_EVENT_ADD = 0xf0004,
};

struct old_dma_job_memcpy {
    struct old_job base;
    struct doca_buf *dst;
    const struct doca_buf *src;
};

struct old_rdma_job_receive {
    struct old_job base;
    struct doca_buf *dst;
};

struct old_rdma_job_send {
    struct old_job base;
    const struct doca_buf *src;
    doca_be32_t immediate_data;
    const void *peer;
};

struct old_rdma_job_read_write {
    struct old_job base;
    struct doca_buf *dst;
    const struct doca_buf *src;
    doca_be32_t immediate_data;
    const void *peer;
};

struct old_rdma_job_atomic {
    struct old_job base;
    struct doca_buf *dst;
    struct doca_buf *result;
    uint64_t swap_or_add;
    uint64_t cmp;
    const void *peer;
};

/* The result of an RDMA job. `result` of its event points to it before the event is retrieved. */
struct old_rdma_result {
    doca_error_t result;
    uint32_t opcode;
    uint32_t length;
    void *peer;
    doca_be32_t immediate_data;
};

enum {
    OLD_RDMA_STATE_RESET = 0,
    OLD_RDMA_STATE_INIT = 1,
    OLD_RDMA_STATE_CONNECTED = 2,
    OLD_RDMA_STATE_ERROR = 3,
};

struct old_sync_event_job_wait {
    struct old_job base;
    uint64_t value;
    uint64_t mask;
};

struct old_sync_event_job_get {
    struct old_job base;
    uint64_t *value;
};

struct old_sync_event_job_set {
    struct old_job base;
    uint64_t value;
};

struct old_sync_event_job_add {
    struct old_job base;
    uint64_t value;
    uint64_t *fetched;
};

#define OLD_COMMON_FUNCTIONS(F) \
    F(doca_error_t, doca_buf_get_data, (const struct doca_buf *buf, void **data)) \
    F(doca_error_t, doca_buf_get_data_len, (const struct doca_buf *buf, size_t *data_len)) \
    F(doca_error_t, doca_buf_get_head, (const struct doca_buf *buf, void **head)) \
    F(doca_error_t, doca_buf_get_len, (const struct doca_buf *buf, size_t *len)) \
    F(doca_error_t, doca_buf_get_refcount, (struct doca_buf *buf, uint16_t *refcount)) \
    F(doca_error_t, doca_buf_is_in_list, (const struct doca_buf *buf, uint8_t *is_in_list)) \
    F(doca_error_t, doca_buf_list_chain, (struct doca_buf *list1, struct doca_buf *list2)) \
    F(doca_error_t, doca_buf_list_is_first, (const struct doca_buf *buf, bool *is_first)) \
    F(doca_error_t, doca_buf_list_is_last, (const struct doca_buf *buf, bool *is_last)) \
    F(doca_error_t, doca_buf_list_last, (struct doca_buf *buf, struct doca_buf **last_buf)) \
    F(doca_error_t, doca_buf_list_next, (struct doca_buf *buf, struct doca_buf **next_buf)) \
    F(doca_error_t, doca_buf_list_num_elements, (const struct doca_buf *buf, uint32_t *num_elements)) \
    F(doca_error_t, doca_buf_list_unchain, (struct doca_buf *list1, struct doca_buf *list2)) \
    F(doca_error_t, doca_buf_refcount_add, (struct doca_buf *buf, uint16_t *refcount)) \
    F(doca_error_t, doca_buf_refcount_rm, (struct doca_buf *buf, uint16_t *refcount)) \
    F(doca_error_t, doca_buf_reset_data_len, (struct doca_buf *buf)) \
    F(doca_error_t, doca_buf_set_data, (struct doca_buf *buf, void *data, size_t data_len)) \
    F(doca_error_t, doca_buf_inventory_buf_by_args, \
      (struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *addr, size_t len, void *data, \
       size_t data_len, struct doca_buf **buf)) \
    F(doca_error_t, doca_buf_inventory_buf_dup, \
      (struct doca_buf_inventory *inventory, const struct doca_buf *src_buf, struct doca_buf **dst_buf)) \
    F(doca_error_t, doca_buf_inventory_create, \
      (const union doca_data *user_data, size_t num_elements, uint32_t extensions, \
       struct doca_buf_inventory **buf_inventory)) \
    F(doca_error_t, doca_buf_inventory_destroy, (struct doca_buf_inventory *inventory)) \
    F(doca_error_t, doca_buf_inventory_get_num_elements, \
      (struct doca_buf_inventory *inventory, uint32_t *num_of_elements)) \
    F(doca_error_t, doca_buf_inventory_get_num_free_elements, \
      (struct doca_buf_inventory *inventory, uint32_t *num_of_free_elements)) \
    F(doca_error_t, doca_buf_inventory_start, (struct doca_buf_inventory *inventory)) \
    F(doca_error_t, doca_buf_inventory_stop, (struct doca_buf_inventory *inventory)) \
    F(doca_error_t, doca_ctx_dev_add, (struct old_ctx *ctx, struct doca_dev *dev)) \
    F(doca_error_t, doca_ctx_start, (struct old_ctx *ctx)) \
    F(doca_error_t, doca_ctx_stop, (struct old_ctx *ctx)) \
    F(doca_error_t, doca_ctx_workq_add, (struct old_ctx *ctx, struct old_workq *workq)) \
    F(doca_error_t, doca_ctx_workq_rm, (struct old_ctx *ctx, struct old_workq *workq)) \
    F(doca_error_t, doca_workq_create, (uint32_t depth, struct old_workq **workq)) \
    F(doca_error_t, doca_workq_destroy, (struct old_workq *workq)) \
    F(doca_error_t, doca_workq_event_handle_arm, (struct old_workq *workq)) \
    F(doca_error_t, doca_workq_event_handle_clear, (struct old_workq *workq, int handle)) \
    F(doca_error_t, doca_workq_get_event_handle, (struct old_workq *workq, int *handle)) \
    F(doca_error_t, doca_workq_progress_retrieve, (struct old_workq *workq, struct old_event *ev, int flags)) \
    F(doca_error_t, doca_workq_set_event_driven_enable, (struct old_workq *workq, uint8_t enable)) \
    F(doca_error_t, doca_workq_submit, (struct old_workq *workq, const struct old_job *job)) \
    F(struct doca_devinfo *, doca_dev_as_devinfo, (const struct doca_dev *dev)) \
    F(doca_error_t, doca_dev_close, (struct doca_dev *dev)) \
    F(doca_error_t, doca_dev_open, (struct doca_devinfo *devinfo, struct doca_dev **dev)) \
    F(struct doca_devinfo_rep *, doca_dev_rep_as_devinfo, (struct doca_dev_rep *dev_rep)) \
    F(doca_error_t, doca_dev_rep_close, (struct doca_dev_rep *dev)) \
    F(doca_error_t, doca_dev_rep_open, (struct doca_devinfo_rep *devinfo, struct doca_dev_rep **dev_rep)) \
    F(doca_error_t, doca_devinfo_get_ibdev_name, \
      (const struct doca_devinfo *devinfo, char *ibdev_name, uint32_t size)) \
    F(doca_error_t, doca_devinfo_get_iface_name, \
      (const struct doca_devinfo *devinfo, char *iface_name, uint32_t size)) \
    F(doca_error_t, doca_devinfo_get_ipv4_addr, \
      (const struct doca_devinfo *devinfo, uint8_t *ipv4_addr, uint32_t size)) \
    F(doca_error_t, doca_devinfo_get_ipv6_addr, \
      (const struct doca_devinfo *devinfo, uint8_t *ipv6_addr, uint32_t size)) \
    F(doca_error_t, doca_devinfo_get_is_hotplug_manager_supported, \
      (const struct doca_devinfo *devinfo, uint8_t *is_hotplug_manager)) \
    F(doca_error_t, doca_devinfo_get_is_mmap_export_dpu_supported, \
      (const struct doca_devinfo *devinfo, uint8_t *mmap_export)) \
    F(doca_error_t, doca_devinfo_get_is_mmap_from_export_dpu_supported, \
      (const struct doca_devinfo *devinfo, uint8_t *from_export)) \
    F(doca_error_t, doca_devinfo_get_is_pci_addr_equal, \
      (const struct doca_devinfo *devinfo, const char *pci_addr_str, uint8_t *is_equal)) \
    F(doca_error_t, doca_devinfo_get_lid, (const struct doca_devinfo *devinfo, uint16_t *lid)) \
    F(doca_error_t, doca_devinfo_get_mac_addr, (const struct doca_devinfo *devinfo, uint8_t *mac_addr, uint32_t size)) \
    F(doca_error_t, doca_devinfo_get_pci_addr_str, (const struct doca_devinfo *devinfo, char *pci_addr_str)) \
    F(doca_error_t, doca_devinfo_list_create, (struct doca_devinfo ***dev_list, uint32_t *nb_devs)) \
    F(doca_error_t, doca_devinfo_list_destroy, (struct doca_devinfo **dev_list)) \
    F(doca_error_t, doca_devinfo_rep_get_is_list_all_supported, \
      (const struct doca_devinfo *devinfo, uint8_t *all_supported)) \
    F(doca_error_t, doca_devinfo_rep_get_is_list_emulated_supported, \
      (const struct doca_devinfo *devinfo, uint8_t *emulated_supported)) \
    F(doca_error_t, doca_devinfo_rep_get_is_list_net_supported, \
      (const struct doca_devinfo *devinfo, uint8_t *net_supported)) \
    F(doca_error_t, doca_devinfo_rep_get_is_pci_addr_equal, \
      (const struct doca_devinfo_rep *devinfo_rep, const char *pci_addr_str, uint8_t *is_equal)) \
    F(doca_error_t, doca_devinfo_rep_get_pci_addr_str, \
      (const struct doca_devinfo_rep *devinfo_rep, char *pci_addr_str)) \
    F(doca_error_t, doca_devinfo_rep_get_pci_func_type, \
      (const struct doca_devinfo_rep *devinfo_rep, enum doca_pci_func_type *pci_func_type)) \
    F(doca_error_t, doca_devinfo_rep_get_vuid, \
      (const struct doca_devinfo_rep *devinfo_rep, char *rep_vuid, uint32_t size)) \
    F(doca_error_t, doca_devinfo_rep_list_create, \
      (struct doca_dev *dev, int filter, struct doca_devinfo_rep ***dev_list_rep, uint32_t *nb_devs_rep)) \
    F(doca_error_t, doca_devinfo_rep_list_destroy, (struct doca_devinfo_rep **dev_list_rep)) \
    F(const char *, doca_get_error_name, (doca_error_t error)) \
    F(const char *, doca_get_error_string, (doca_error_t error)) \
    F(doca_error_t, doca_mmap_create, (const union doca_data *user_data, struct doca_mmap **mmap)) \
    F(doca_error_t, doca_mmap_create_from_export, \
      (const union doca_data *user_data, const void *export_desc, size_t export_desc_len, struct doca_dev *dev, \
       struct doca_mmap **mmap)) \
    F(doca_error_t, doca_mmap_destroy, (struct doca_mmap *mmap)) \
    F(doca_error_t, doca_mmap_dev_add, (struct doca_mmap *mmap, struct doca_dev *dev)) \
    F(doca_error_t, doca_mmap_dev_rm, (struct doca_mmap *mmap, struct doca_dev *dev)) \
    F(doca_error_t, doca_mmap_export_dpu, \
      (struct doca_mmap *mmap, const struct doca_dev *dev, const void **export_desc, size_t *export_desc_len)) \
    F(doca_error_t, doca_mmap_export_rdma, \
      (struct doca_mmap *mmap, const struct doca_dev *dev, const void **export_desc, size_t *export_desc_len)) \
    F(doca_error_t, doca_mmap_get_exported, (struct doca_mmap *mmap, uint8_t *exported)) \
    F(doca_error_t, doca_mmap_get_from_export, (struct doca_mmap *mmap, uint8_t *from_export)) \
    F(doca_error_t, doca_mmap_get_max_num_devices, (struct doca_mmap *mmap, uint32_t *max_num_devices)) \
    F(doca_error_t, doca_mmap_get_memrange, (const struct doca_mmap *mmap, void **addr, size_t *len)) \
    F(doca_error_t, doca_mmap_get_num_bufs, (struct doca_mmap *mmap, uint32_t *num_bufs)) \
    F(doca_error_t, doca_mmap_set_free_cb, \
      (struct doca_mmap *mmap, doca_mmap_memrange_free_cb_t *free_cb, void *opaque)) \
    F(doca_error_t, doca_mmap_set_max_num_devices, (struct doca_mmap *mmap, uint32_t max_num_devices)) \
    F(doca_error_t, doca_mmap_set_memrange, (struct doca_mmap *mmap, void *addr, size_t len)) \
    F(doca_error_t, doca_mmap_set_permissions, (struct doca_mmap *mmap, uint32_t access_mask)) \
    F(doca_error_t, doca_mmap_start, (struct doca_mmap *mmap)) \
    F(doca_error_t, doca_mmap_stop, (struct doca_mmap *mmap))

#define OLD_BUFPOOL_FUNCTIONS(F) \
    F(doca_error_t, doca_bufpool_buf_alloc, (struct old_bufpool *bufpool, struct doca_buf **buf)) \
    F(doca_error_t, doca_bufpool_create, \
      (const union doca_data *user_data, size_t num_elements, uint32_t extensions, size_t element_size, \
       size_t element_alignment, const struct doca_mmap *mmap, struct old_bufpool **bufpool)) \
    F(doca_error_t, doca_bufpool_destroy, (struct old_bufpool *bufpool)) \
    F(doca_error_t, doca_bufpool_get_num_elements, (const struct old_bufpool *bufpool, uint32_t *num_of_elements)) \
    F(doca_error_t, doca_bufpool_get_num_free_elements, \
      (const struct old_bufpool *bufpool, uint32_t *num_of_free_elements)) \
    F(doca_error_t, doca_bufpool_get_user_data, (const struct old_bufpool *bufpool, union doca_data *user_data)) \
    F(doca_error_t, doca_bufpool_start, (struct old_bufpool *bufpool)) \
    F(doca_error_t, doca_bufpool_stop, (struct old_bufpool *bufpool))

#define OLD_LOG_FUNCTIONS(F) \
    F(doca_error_t, doca_log_backend_level_set, (struct old_logger_backend *logger, uint32_t level)) \
    F(doca_error_t, doca_log_create_buffer_backend, \
      (char *buffer, size_t capacity, log_flush_callback handler, struct old_logger_backend **backend)) \
    F(uint32_t, doca_log_global_level_get, (void)) \
    F(doca_error_t, doca_log_global_level_set, (uint32_t level))

#define OLD_SYNC_EVENT_FUNCTIONS(F) \
    F(struct old_ctx *, doca_sync_event_as_ctx, (struct old_sync_event *event)) \
    F(doca_error_t, doca_sync_event_create, (struct old_sync_event **event)) \
    F(doca_error_t, doca_sync_event_create_from_export, \
      (struct doca_dev *dev, const uint8_t *data, size_t sz, struct old_sync_event **event)) \
    F(doca_error_t, doca_sync_event_destroy, (struct old_sync_event *event)) \
    F(doca_error_t, doca_sync_event_export_to_dpu, \
      (struct old_sync_event *event, struct doca_dev *dev, const uint8_t **data, size_t *sz)) \
    F(doca_error_t, doca_sync_event_get, (struct old_sync_event *event, uint64_t *value)) \
    F(doca_error_t, doca_sync_event_get_create_from_export_supported, (const struct doca_devinfo *devinfo)) \
    F(doca_error_t, doca_sync_event_get_export_to_dpu_supported, (const struct doca_devinfo *devinfo)) \
    F(doca_error_t, doca_sync_event_job_get_supported, (struct doca_devinfo *devinfo, int type)) \
    F(doca_error_t, doca_sync_event_publisher_add_location_cpu, (struct old_sync_event *event, struct doca_dev *dev)) \
    F(doca_error_t, doca_sync_event_publisher_add_location_dpu, (struct old_sync_event *event)) \
    F(doca_error_t, doca_sync_event_set_addr, (struct old_sync_event *event, uint64_t *addr)) \
    F(doca_error_t, doca_sync_event_start, (struct old_sync_event *event)) \
    F(doca_error_t, doca_sync_event_stop, (struct old_sync_event *event)) \
    F(doca_error_t, doca_sync_event_subscriber_add_location_cpu, (struct old_sync_event *event, struct doca_dev *dev)) \
    F(doca_error_t, doca_sync_event_subscriber_add_location_dpu, (struct old_sync_event *event)) \
    F(doca_error_t, doca_sync_event_update_add, (struct old_sync_event *event, uint64_t value, uint64_t *fetched)) \
    F(doca_error_t, doca_sync_event_update_set, (struct old_sync_event *event, uint64_t value)) \
    F(doca_error_t, doca_sync_event_wait_gt, (struct old_sync_event *event, uint64_t value, uint64_t mask)) \
    F(doca_error_t, doca_sync_event_wait_gt_yield, (struct old_sync_event *event, uint64_t value, uint64_t mask))

#define OLD_BRIDGE_FUNCTIONS(F) \
    F(doca_error_t, doca_buf_get_mkey, (const struct doca_buf *buf, struct doca_dev *dev, uint32_t *mkey)) \
    F(doca_error_t, doca_dev_get_pd, (const struct doca_dev *dev, struct ibv_pd **pd))

#define OLD_DMA_FUNCTIONS(F) \
    F(struct old_ctx *, doca_dma_as_ctx, (struct old_dma *dma)) \
    F(doca_error_t, doca_dma_create, (struct old_dma **dma)) \
    F(doca_error_t, doca_dma_destroy, (struct old_dma *dma)) \
    F(doca_error_t, doca_dma_get_max_buf_size, (const struct doca_devinfo *devinfo, uint64_t *buf_size)) \
    F(doca_error_t, doca_dma_get_max_list_buf_num_elem, \
      (const struct doca_devinfo *devinfo, uint32_t *max_list_num_elem)) \
    F(doca_error_t, doca_dma_job_get_supported, (struct doca_devinfo *devinfo, int job_type))

#define OLD_RDMA_FUNCTIONS(F) \
    F(struct old_ctx *, doca_rdma_as_ctx, (struct old_rdma *rdma)) \
    F(doca_error_t, doca_rdma_connect, \
      (struct old_rdma *rdma, const void *remote_rdma_conn_details, size_t remote_rdma_conn_details_size)) \
    F(doca_error_t, doca_rdma_create, (struct old_rdma **rdma)) \
    F(doca_error_t, doca_rdma_destroy, (struct old_rdma *rdma)) \
    F(doca_error_t, doca_rdma_export, \
      (const struct old_rdma *rdma, const void **local_rdma_conn_details, size_t *local_rdma_conn_details_size)) \
    F(doca_error_t, doca_rdma_get_gid, \
      (struct doca_devinfo *devinfo, uint32_t start_index, uint32_t num_entries, void *gid_array)) \
    F(doca_error_t, doca_rdma_get_gid_index, (const struct old_rdma *rdma, uint32_t *gid_index)) \
    F(doca_error_t, doca_rdma_get_gid_table_size, (struct doca_devinfo *devinfo, uint32_t *gid_table_size)) \
    F(doca_error_t, doca_rdma_get_grh_enabled, (const struct old_rdma *rdma, bool *grh_enabled)) \
    F(doca_error_t, doca_rdma_get_max_buf_chain_len, \
      (const struct doca_devinfo *devinfo, int job_type, uint32_t transport_type, uint32_t *max_buf_chain_len)) \
    F(doca_error_t, doca_rdma_get_max_message_size, (const struct doca_devinfo *devinfo, uint32_t *max_message_size)) \
    F(doca_error_t, doca_rdma_get_max_recv_queue_size, \
      (const struct doca_devinfo *devinfo, uint32_t *max_recv_queue_size)) \
    F(doca_error_t, doca_rdma_get_max_send_queue_size, \
      (const struct doca_devinfo *devinfo, uint32_t *max_send_queue_size)) \
    F(doca_error_t, doca_rdma_get_mtu, (const struct old_rdma *rdma, enum doca_mtu_size *mtu)) \
    F(doca_error_t, doca_rdma_get_permissions, (struct old_rdma *rdma, uint32_t *permissions)) \
    F(doca_error_t, doca_rdma_get_recv_buf_chain_len, (const struct old_rdma *rdma, uint32_t *recv_buf_chain_len)) \
    F(doca_error_t, doca_rdma_get_recv_queue_size, (const struct old_rdma *rdma, uint32_t *recv_queue_size)) \
    F(doca_error_t, doca_rdma_get_send_queue_size, (const struct old_rdma *rdma, uint32_t *send_queue_size)) \
    F(doca_error_t, doca_rdma_get_sl, (const struct old_rdma *rdma, uint32_t *sl)) \
    F(doca_error_t, doca_rdma_get_state, (const struct old_rdma *rdma, uint32_t *state)) \
    F(doca_error_t, doca_rdma_get_transport_type, (const struct old_rdma *rdma, uint32_t *transport_type)) \
    F(doca_error_t, doca_rdma_get_transport_type_supported, \
      (const struct doca_devinfo *devinfo, uint32_t transport_type)) \
    F(doca_error_t, doca_rdma_job_get_supported, (const struct doca_devinfo *devinfo, int job_type)) \
    F(doca_error_t, doca_rdma_set_gid_index, (struct old_rdma *rdma, uint32_t gid_index)) \
    F(doca_error_t, doca_rdma_set_grh_enabled, (struct old_rdma *rdma, bool grh_enabled)) \
    F(doca_error_t, doca_rdma_set_mtu, (struct old_rdma *rdma, enum doca_mtu_size mtu)) \
    F(doca_error_t, doca_rdma_set_permissions, (struct old_rdma *rdma, uint32_t permissions)) \
    F(doca_error_t, doca_rdma_set_recv_buf_chain_len, (struct old_rdma *rdma, uint32_t recv_buf_chain_len)) \
    F(doca_error_t, doca_rdma_set_recv_queue_size, (struct old_rdma *rdma, uint32_t recv_queue_size)) \
    F(doca_error_t, doca_rdma_set_send_queue_size, (struct old_rdma *rdma, uint32_t send_queue_size)) \
    F(doca_error_t, doca_rdma_set_sl, (struct old_rdma *rdma, uint32_t sl)) \
    F(doca_error_t, doca_rdma_set_transport_type, (struct old_rdma *rdma, uint32_t transport_type))

#define OLD_FIELD(result, name, parameters) result(*name) parameters;

/*
 * The functions of the opened SDK; NULL if it lacks the function. Written by the thread that opens it, before other
 * threads use it.
 */
struct old_sdk {
    OLD_COMMON_FUNCTIONS(OLD_FIELD)
    OLD_BUFPOOL_FUNCTIONS(OLD_FIELD)
    OLD_LOG_FUNCTIONS(OLD_FIELD)
    OLD_SYNC_EVENT_FUNCTIONS(OLD_FIELD)
    OLD_BRIDGE_FUNCTIONS(OLD_FIELD)
    OLD_DMA_FUNCTIONS(OLD_FIELD)
    OLD_RDMA_FUNCTIONS(OLD_FIELD)
    /* Parts of libdoca_common that were added in later releases. */
    bool has_bufpool;
    bool has_log;
    bool has_sync_event;
    bool has_bridge;
};

extern struct old_sdk old;

/*
 * Opens one of the libraries common, dma and rdma, in this order.
 *
 * Returns NULL, or the reason why it cannot be used: a malloc'ed text that begins with a verb, because it follows the
 * path in a sentence.
 */
char *docajava_old_sdk_open(const char *library, const char *path);

#endif /* DOCA_COMPAT_OLD_SDK_H_ */
