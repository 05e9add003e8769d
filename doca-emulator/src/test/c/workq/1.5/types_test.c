/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The types of the release as in its SDK: the layout of structures, and the parameters and results of each function.
 * The compiler checks all of it.
 */
#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_dma.h>
#include <doca_error.h>
#include <doca_log.h>
#include <doca_mmap.h>

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
SIZE(struct doca_pci_bdf, 2);
MEMBER(struct doca_pci_bdf, raw, 0, 2);
SIZE(struct doca_job, 24);
MEMBER(struct doca_job, type, 0, 4);
MEMBER(struct doca_job, flags, 4, 4);
MEMBER(struct doca_job, ctx, 8, 8);
MEMBER(struct doca_job, user_data, 16, 8);
SIZE(struct doca_event, 24);
MEMBER(struct doca_event, type, 0, 4);
MEMBER(struct doca_event, user_data, 8, 8);
MEMBER(struct doca_event, result, 16, 8);
SIZE(struct doca_dma_job_memcpy, 40);
MEMBER(struct doca_dma_job_memcpy, base, 0, 24);
MEMBER(struct doca_dma_job_memcpy, dst_buff, 24, 8);
MEMBER(struct doca_dma_job_memcpy, src_buff, 32, 8);
SIZE(struct doca_dma_memcpy_result, 4);
MEMBER(struct doca_dma_memcpy_result, result, 0, 4);

VALUE(DOCA_ACCESS_LOCAL_READ, 0);
VALUE(DOCA_ACCESS_LOCAL_WRITE, 1);
VALUE(DOCA_ACCESS_REMOTE_WRITE, 2);
VALUE(DOCA_ACCESS_REMOTE_READ, 4);
VALUE(DOCA_ACCESS_REMOTE_ATOMIC, 8);
VALUE(DOCA_PCI_FUNC_PF, 0);
VALUE(DOCA_PCI_FUNC_VF, 1);
VALUE(DOCA_PCI_FUNC_SF, 2);
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
VALUE(DOCA_DEV_REP_FILTER_ALL, 0);
VALUE(DOCA_DEV_REP_FILTER_NET, 2);
VALUE(DOCA_DEV_REP_FILTER_VIRTIO_FS, 4);
VALUE(DOCA_DEV_REP_FILTER_VIRTIO_NET, 8);
VALUE(DOCA_DEV_REP_FILTER_VIRTIO_BLK, 16);
VALUE(DOCA_DEV_REP_FILTER_NVME, 32);
VALUE(DOCA_BUF_EXTENSION_NONE, 0);
VALUE(DOCA_BUF_EXTENSION_LINKED_LIST, 1);
VALUE(DOCA_ACTION_NONE, 0);
VALUE(DOCA_ACTION_DMA_FIRST, 65536);
VALUE(DOCA_ACTION_DEVEMU_FIRST, 131072);
VALUE(DOCA_ACTION_DEVEMU_BLOCK_FIRST, 196608);
VALUE(DOCA_ACTION_VIRTIO_FIRST, 262144);
VALUE(DOCA_ACTION_VBLK_FIRST, 327680);
VALUE(DOCA_ACTION_REGEX_FIRST, 393216);
VALUE(DOCA_ACTION_NVME_FIRST, 458752);
VALUE(DOCA_ACTION_APPSHIELD_FIRST, 524288);
VALUE(DOCA_ACTION_SHA_FIRST, 589824);
VALUE(DOCA_ACTION_COMPRESS_FIRST, 655360);
VALUE(DOCA_ACTION_IPSEC_FIRST, 720896);
VALUE(DOCA_ACTION_RMAX_FIRST, 786432);
VALUE(DOCA_JOB_FLAGS_NONE, 0);
VALUE(DOCA_WORKQ_RETRIEVE_FLAGS_NONE, 0);
VALUE(DOCA_LOG_LEVEL_CRIT, 20);
VALUE(DOCA_LOG_LEVEL_ERROR, 30);
VALUE(DOCA_LOG_LEVEL_WARNING, 40);
VALUE(DOCA_LOG_LEVEL_INFO, 50);
VALUE(DOCA_LOG_LEVEL_DEBUG, 60);
VALUE(DOCA_DMA_JOB_MEMCPY, 65537);
VALUE(DOCA_DMA_CAP_NONE, 0);
VALUE(DOCA_DMA_CAP_HW_OFFLOAD, 1);

FUNCTION(doca_error_t, doca_buf_get_data, struct doca_buf *buf, void **data);
FUNCTION(doca_error_t, doca_buf_get_data_len, struct doca_buf *buf, size_t *data_len);
FUNCTION(doca_error_t, doca_buf_get_head, struct doca_buf *buf, void **head);
FUNCTION(doca_error_t, doca_buf_get_len, struct doca_buf *buf, size_t *len);
FUNCTION(doca_error_t, doca_buf_get_lkey,
         const struct doca_buf *buf, struct doca_dev *dev, uint32_t doca_access_flags, uint32_t *lkey);
FUNCTION(doca_error_t, doca_buf_get_refcount, struct doca_buf *buf, uint16_t *refcount);
FUNCTION(doca_error_t, doca_buf_list_chain, struct doca_buf *list1, struct doca_buf *list2);
FUNCTION(doca_error_t, doca_buf_list_is_first, const struct doca_buf *buf, _Bool *is_first);
FUNCTION(doca_error_t, doca_buf_list_is_last, const struct doca_buf *buf, _Bool *is_last);
FUNCTION(doca_error_t, doca_buf_list_last, struct doca_buf *buf, struct doca_buf **last_buf);
FUNCTION(doca_error_t, doca_buf_list_next, struct doca_buf *buf, struct doca_buf **next_buf);
FUNCTION(doca_error_t, doca_buf_list_num_elements, const struct doca_buf *buf, uint32_t *num_elements);
FUNCTION(doca_error_t, doca_buf_list_unchain, struct doca_buf *list1, struct doca_buf *list2);
FUNCTION(doca_error_t, doca_buf_refcount_add, struct doca_buf *buf, uint16_t *refcount);
FUNCTION(doca_error_t, doca_buf_refcount_rm, struct doca_buf *buf, uint16_t *refcount);
FUNCTION(doca_error_t, doca_buf_set_data, struct doca_buf *buf, void *data, size_t data_len);
FUNCTION(doca_error_t, doca_ctx_dev_add, struct doca_ctx *ctx, struct doca_dev *dev);
FUNCTION(doca_error_t, doca_ctx_dev_rm, struct doca_ctx *ctx, struct doca_dev *dev);
FUNCTION(doca_error_t, doca_ctx_get_event_driven_supported, struct doca_ctx *ctx, uint8_t *event_supported);
FUNCTION(doca_error_t, doca_ctx_get_max_num_ctx, uint32_t *max_num_ctx);
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
FUNCTION(doca_error_t, doca_workq_set_depth, struct doca_workq *workq, uint32_t depth);
FUNCTION(doca_error_t, doca_workq_set_event_driven_enable, struct doca_workq *workq, uint8_t enable);
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
FUNCTION(doca_error_t, doca_devinfo_get_is_mmap_export_supported,
         const struct doca_devinfo *devinfo, uint8_t *mmap_export);
FUNCTION(doca_error_t, doca_devinfo_get_is_mmap_from_export_supported,
         const struct doca_devinfo *devinfo, uint8_t *from_export);
FUNCTION(doca_error_t, doca_devinfo_get_pci_addr, const struct doca_devinfo *devinfo, struct doca_pci_bdf *pci_addr);
FUNCTION(doca_error_t, doca_devinfo_list_create, struct doca_devinfo ***dev_list, uint32_t *nb_devs);
FUNCTION(doca_error_t, doca_devinfo_list_destroy, struct doca_devinfo **dev_list);
FUNCTION(doca_error_t, doca_devinfo_rep_get_is_list_all_supported,
         const struct doca_devinfo *devinfo, uint8_t *all_supported);
FUNCTION(doca_error_t, doca_devinfo_rep_get_is_list_net_supported,
         const struct doca_devinfo *devinfo, uint8_t *net_supported);
FUNCTION(doca_error_t, doca_devinfo_rep_get_is_list_nvme_supported,
         const struct doca_devinfo *devinfo, uint8_t *nvme_supported);
FUNCTION(doca_error_t, doca_devinfo_rep_get_is_list_virtio_blk_supported,
         const struct doca_devinfo *devinfo, uint8_t *virtio_blk_supported);
FUNCTION(doca_error_t, doca_devinfo_rep_get_is_list_virtio_fs_supported,
         const struct doca_devinfo *devinfo, uint8_t *virtio_fs_supported);
FUNCTION(doca_error_t, doca_devinfo_rep_get_is_list_virtio_net_supported,
         const struct doca_devinfo *devinfo, uint8_t *virtio_net_supported);
FUNCTION(doca_error_t, doca_devinfo_rep_get_pci_addr,
         const struct doca_devinfo_rep *devinfo_rep, struct doca_pci_bdf *pci_addr);
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
FUNCTION(doca_error_t, doca_log, uint32_t level, int source, int line, const char *format, ...);
FUNCTION(doca_error_t, doca_log_backend_level_set, struct doca_logger_backend *logger, uint32_t level);
FUNCTION(doca_error_t, doca_log_create_buffer_backend,
         char *buffer, size_t capacity, log_flush_callback handler, struct doca_logger_backend **backend);
FUNCTION(doca_error_t, doca_log_create_fd_backend, int fd, struct doca_logger_backend **backend);
FUNCTION(doca_error_t, doca_log_create_file_backend, FILE *fptr, struct doca_logger_backend **backend);
FUNCTION(doca_error_t, doca_log_create_syslog_backend, const char *name, struct doca_logger_backend **backend);
FUNCTION(doca_error_t, doca_log_developer, uint32_t level, int source, int line, const char *format, ...);
FUNCTION(uint16_t, doca_log_get_bucket_time, void);
FUNCTION(uint16_t, doca_log_get_quantity, void);
FUNCTION(uint32_t, doca_log_global_level_get, void);
FUNCTION(doca_error_t, doca_log_global_level_set, uint32_t level);
FUNCTION(doca_error_t, doca_log_rate_bucket_register, int source, int *bucket);
FUNCTION(doca_error_t, doca_log_rate_limit, uint32_t level, int source, int line, int bucket, const char *format, ...);
FUNCTION(void, doca_log_set_bucket_time, uint16_t bucket_time);
FUNCTION(void, doca_log_set_quantity, uint16_t quantity);
FUNCTION(doca_error_t, doca_log_source_destroy, int source);
FUNCTION(doca_error_t, doca_log_source_register, const char *source_name, int *source);
FUNCTION(doca_error_t, doca_log_stream_redirect, FILE *stream);
FUNCTION(doca_error_t, doca_mmap_create, const union doca_data *user_data, struct doca_mmap **mmap);
FUNCTION(doca_error_t, doca_mmap_create_from_export,
         const union doca_data *user_data, const void *export_desc, size_t export_desc_len, struct doca_dev *dev,
         struct doca_mmap **mmap);
FUNCTION(doca_error_t, doca_mmap_destroy, struct doca_mmap *mmap);
FUNCTION(doca_error_t, doca_mmap_dev_add, struct doca_mmap *mmap, struct doca_dev *dev);
FUNCTION(doca_error_t, doca_mmap_dev_rm, struct doca_mmap *mmap, struct doca_dev *dev);
FUNCTION(doca_error_t, doca_mmap_export,
         struct doca_mmap *mmap, const struct doca_dev *dev, void **export_desc, size_t *export_desc_len);
FUNCTION(doca_error_t, doca_mmap_get_exported, struct doca_mmap *mmap, uint8_t *exported);
FUNCTION(doca_error_t, doca_mmap_get_from_export, struct doca_mmap *mmap, uint8_t *from_export);
FUNCTION(doca_error_t, doca_mmap_get_max_num_chunks, struct doca_mmap *mmap, uint32_t *max_num_chunks);
FUNCTION(doca_error_t, doca_mmap_get_max_num_devices, struct doca_mmap *mmap, uint32_t *max_num_devices);
FUNCTION(doca_error_t, doca_mmap_get_num_bufs, struct doca_mmap *mmap, uint32_t *num_bufs);
FUNCTION(doca_error_t, doca_mmap_get_user_data, struct doca_mmap *mmap, union doca_data *user_data);
FUNCTION(doca_error_t, doca_mmap_populate,
         struct doca_mmap *mmap, void *addr, size_t len, size_t pg_sz, doca_mmap_memrange_free_cb_t *free_cb,
         void *opaque);
FUNCTION(doca_error_t, doca_mmap_set_max_num_chunks, struct doca_mmap *mmap, uint32_t max_num_chunks);
FUNCTION(doca_error_t, doca_mmap_set_max_num_devices, struct doca_mmap *mmap, uint32_t max_num_devices);
FUNCTION(doca_error_t, doca_mmap_start, struct doca_mmap *mmap);
FUNCTION(doca_error_t, doca_mmap_stop, struct doca_mmap *mmap);
FUNCTION(doca_error_t, doca_buf_inventory_create,
         const union doca_data *user_data, size_t num_elements, uint32_t extensions,
         struct doca_buf_inventory **buf_inventory);
FUNCTION(doca_error_t, doca_buf_inventory_destroy, struct doca_buf_inventory *inventory);
FUNCTION(doca_error_t, doca_buf_inventory_start, struct doca_buf_inventory *inventory);
FUNCTION(doca_error_t, doca_buf_inventory_stop, struct doca_buf_inventory *inventory);
FUNCTION(doca_error_t, doca_buf_inventory_buf_by_addr,
         struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *addr, size_t len, struct doca_buf **buf);
FUNCTION(doca_error_t, doca_buf_inventory_buf_by_args,
         struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *addr, size_t len, void *data,
         size_t data_len, struct doca_buf **buf);
FUNCTION(doca_error_t, doca_buf_inventory_buf_dup,
         struct doca_buf_inventory *inventory, const struct doca_buf *src_buf, struct doca_buf **dst_buf);
FUNCTION(doca_error_t, doca_buf_inventory_get_num_elements,
         struct doca_buf_inventory *inventory, uint32_t *num_of_elements);
FUNCTION(doca_error_t, doca_buf_inventory_get_num_free_elements,
         struct doca_buf_inventory *inventory, uint32_t *num_of_free_elements);

int
main(void) {
    return EXIT_SUCCESS;
}
