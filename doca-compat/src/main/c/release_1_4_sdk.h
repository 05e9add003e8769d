/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of release 1.4, and the buffers and queues of release 1.5 that are made of them. */
#ifndef DOCA_COMPAT_RELEASE_1_4_SDK_H_
#define DOCA_COMPAT_RELEASE_1_4_SDK_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "old_sdk.h"

/* The name of all objects. */
#define NAME "doca-java"

struct sdk_buf;
struct sdk_workq;

#define COMMON_FUNCTIONS(F) \
    F(buf_inventory_buf_by_addr, (struct doca_buf_inventory *inventory, struct doca_mmap *mmap, char *addr, size_t len, \
                                  struct sdk_buf **buf)) \
    F(buf_inventory_create, (const char *name, size_t num_elements, uint32_t extensions, struct doca_buf_inventory **inventory)) \
    F(buf_inventory_destroy, (struct doca_buf_inventory *inventory)) \
    F(buf_inventory_start, (struct doca_buf_inventory *inventory)) \
    F(buf_inventory_stop, (struct doca_buf_inventory *inventory)) \
    F(buf_refcount_rm, (struct sdk_buf *buf, uint16_t *refcount)) \
    F(ctx_dev_add, (struct old_ctx *ctx, struct doca_dev *dev)) \
    F(ctx_dev_rm, (struct old_ctx *ctx, struct doca_dev *dev)) \
    F(ctx_start, (struct old_ctx *ctx)) \
    F(ctx_stop, (struct old_ctx *ctx)) \
    F(ctx_workq_add, (struct old_ctx *ctx, struct sdk_workq *workq)) \
    F(ctx_workq_rm, (struct old_ctx *ctx, struct sdk_workq *workq)) \
    F(dev_as_devinfo, (const struct doca_dev *dev, struct doca_devinfo **devinfo)) \
    F(dev_close, (struct doca_dev *dev)) \
    F(dev_open, (const struct doca_devinfo *devinfo, struct doca_dev **dev)) \
    F(dev_remote_as_devinfo, (struct doca_dev_rep *dev, struct doca_devinfo_rep **devinfo)) \
    F(devinfo_property_get, (const struct doca_devinfo *devinfo, int property, void *value, uint32_t size)) \
    F(devinfo_remote_list_create, (struct doca_dev *dev, int filter, struct doca_devinfo_rep ***list, uint32_t *count)) \
    F(devinfo_remote_list_destroy, (struct doca_devinfo_rep **list)) \
    F(devinfo_remote_property_get, (const struct doca_devinfo_rep *devinfo, int property, void *value, uint32_t size)) \
    F(mmap_create, (const char *name, struct doca_mmap **mmap)) \
    F(mmap_create_from_export, (const char *name, const void *export_desc, size_t len, struct doca_dev *dev, \
                                struct doca_mmap **mmap)) \
    F(mmap_destroy, (struct doca_mmap *mmap)) \
    F(mmap_dev_add, (struct doca_mmap *mmap, struct doca_dev *dev)) \
    F(mmap_dev_rm, (struct doca_mmap *mmap, struct doca_dev *dev)) \
    F(mmap_populate, (struct doca_mmap *mmap, char *addr, size_t len, size_t pg_sz, doca_mmap_memrange_free_cb_t *free_cb, \
                      void *opaque)) \
    F(mmap_start, (struct doca_mmap *mmap)) \
    F(workq_create, (uint32_t depth, struct sdk_workq **workq)) \
    F(workq_destroy, (struct sdk_workq *workq)) \
    F(workq_progress_retrieve, (struct sdk_workq *workq, struct old_event *event, int flags)) \
    F(workq_submit, (struct sdk_workq *workq, const struct old_job *job))

#define DMA_FUNCTIONS(F) \
    F(dma_create, (struct old_dma **dma)) \
    F(dma_destroy, (struct old_dma *dma)) \
    F(dma_devinfo_caps_get, (const struct doca_devinfo *devinfo, uint32_t *caps))

#define FIELD(name, parameters) doca_error_t(*name) parameters;

/* Written by the thread that opens the SDK, before any other. */
struct release_1_4 {
    bool is_bound;
    COMMON_FUNCTIONS(FIELD)
    DMA_FUNCTIONS(FIELD)
    struct old_ctx *(*dma_as_ctx)(struct old_dma *dma);
};

extern struct release_1_4 sdk;

/* A buffer of the SDK with a data segment. */
struct doca_buf {
    /* Checks the range, and keeps the map. */
    struct sdk_buf *whole;
    struct doca_mmap *mmap;
    uint8_t *head;
    size_t len;
    uint8_t *data;
    size_t data_len;
    /* One for each job in flight, and one for the program until it drops it. Jobs of several threads may share a source. */
    _Atomic uint16_t refcount;
};

doca_error_t buf_by_args(
        struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *addr, size_t len,
        void *data, size_t data_len, struct doca_buf **buf);
doca_error_t buf_dup(struct doca_buf_inventory *inventory, const struct doca_buf *buf, struct doca_buf **dup);
doca_error_t buf_set_data(struct doca_buf *buf, void *data, size_t data_len);
doca_error_t buf_get_data(const struct doca_buf *buf, void **data);
doca_error_t buf_get_data_len(const struct doca_buf *buf, size_t *data_len);
doca_error_t buf_get_head(const struct doca_buf *buf, void **head);
doca_error_t buf_get_len(const struct doca_buf *buf, size_t *len);
doca_error_t buf_get_refcount(const struct doca_buf *buf, uint16_t *refcount);
doca_error_t buf_refcount_rm(struct doca_buf *buf, uint16_t *refcount);

/* Assumed: the length is the last member. */
struct sdk_dma_job_memcpy {
    struct old_job base;
    struct sdk_buf *dst;
    struct sdk_buf *src;
    size_t num_bytes_to_copy;
};

/* A job in flight, which copies between buffers at the segments of the program's buffers. */
struct copy {
    SLIST_ENTRY(copy) link;
    struct sdk_dma_job_memcpy job;
    struct doca_buf *program_src;
    struct doca_buf *program_dst;
    union doca_data user_data;
};

struct old_workq {
    struct sdk_workq *sdk;
    /* Has the buffers of all jobs. */
    struct doca_buf_inventory *inventory;
    /* One for each entry of the queue. */
    struct copy *copies;
    SLIST_HEAD(, copy) free;
    uint32_t num_inflight;
    /* Queues have no events, so an armed one is readable while jobs are in flight. */
    int event;
    bool is_armed;
};

doca_error_t queue_create(uint32_t depth, struct old_workq **queue);
doca_error_t queue_destroy(struct old_workq *queue);
doca_error_t queue_attach(struct old_ctx *ctx, struct old_workq *queue);
doca_error_t queue_detach(struct old_ctx *ctx, struct old_workq *queue);
doca_error_t queue_submit(struct old_workq *queue, const struct old_job *job);
/* Returns the buffers and the entry of a job that has ended. */
void queue_end(struct old_workq *queue, struct copy *copy);
doca_error_t queue_retrieve(struct old_workq *queue, struct old_event *event, int flags);
doca_error_t queue_enable_events(struct old_workq *queue, uint8_t enable);
doca_error_t queue_get_event_handle(struct old_workq *queue, doca_event_handle_t *handle);
doca_error_t queue_arm(struct old_workq *queue);
doca_error_t queue_clear(struct old_workq *queue, doca_event_handle_t handle);

/* Checks the assumptions about jobs and events once, by a copy with the device. Returns NOT_SUPPORTED, and logs what differs. */
doca_error_t release_1_4_check(struct doca_dev *dev);

#endif /* DOCA_COMPAT_RELEASE_1_4_SDK_H_ */
