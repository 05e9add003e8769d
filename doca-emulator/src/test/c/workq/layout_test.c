/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The layout of the structures that programs fill and read, and constants whose numbers differ between the releases. The compiler
 * checks all of it.
 */
#include <doca_ctx.h>
#include <doca_dma.h>
#include <doca_types.h>
#if __has_include(<doca_rdma.h>)
#include <doca_rdma.h>
#include <doca_sync_event.h>
#endif

#include <stddef.h>
#include <stdlib.h>

#define SIZE(type, size) _Static_assert(sizeof(type) == (size), "size of " #type)
#define MEMBER(type, member, offset, size) \
    _Static_assert(offsetof(type, member) == (offset) && sizeof(((type *)NULL)->member) == (size), \
                   "place of " #member " in " #type)
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
SIZE(struct doca_dma_job_memcpy, 40);
MEMBER(struct doca_dma_job_memcpy, base, 0, 24);
MEMBER(struct doca_dma_job_memcpy, dst_buff, 24, 8);
MEMBER(struct doca_dma_job_memcpy, src_buff, 32, 8);
SIZE(struct doca_dma_memcpy_result, 4);
MEMBER(struct doca_dma_memcpy_result, result, 0, 4);
VALUE(DOCA_DMA_JOB_MEMCPY, 65537);

#if __has_include(<doca_rdma.h>)
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
VALUE(DOCA_ACCESS_RDMA_READ, 2);
VALUE(DOCA_ACCESS_RDMA_WRITE, 4);
VALUE(DOCA_RDMA_JOB_RECV, 851969);
VALUE(DOCA_SYNC_EVENT_JOB_WAIT_GT, 983041);
#else
SIZE(struct doca_pci_bdf, 2);
MEMBER(struct doca_pci_bdf, raw, 0, 2);
VALUE(DOCA_ACCESS_REMOTE_WRITE, 2);
VALUE(DOCA_ACCESS_REMOTE_READ, 4);
#endif

int
main(void) {
    return EXIT_SUCCESS;
}
