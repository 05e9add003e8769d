/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Types that several libraries share.
 */
#ifndef DOCA_TYPES_H_
#define DOCA_TYPES_H_

#include <linux/types.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if API_BEFORE(2.2)
#define PCI_BUS_MAX_VALUE 256
#define PCI_DEVICE_MAX_VALUE 32
#define PCI_FUNCTION_MAX_VALUE 8
#else
#define DOCA_GID_BYTE_LENGTH 16
#endif
#if !API_BEFORE(1.5)
#define doca_event_invalid_handle (-1)

enum doca_access_flags {
    DOCA_ACCESS_LOCAL_READ = 0, API_UNTIL(2.2)
    DOCA_ACCESS_LOCAL_WRITE = 1, API_UNTIL(2.2)
    DOCA_ACCESS_REMOTE_WRITE = 2, API_UNTIL(2.2)
    DOCA_ACCESS_REMOTE_READ = 4, API_UNTIL(2.2)
    DOCA_ACCESS_REMOTE_ATOMIC = 8, API_UNTIL(2.2)
    DOCA_ACCESS_LOCAL_READ_ONLY = 0, API_SINCE(2.2)
    DOCA_ACCESS_LOCAL_READ_WRITE = 1, API_SINCE(2.2)
    DOCA_ACCESS_RDMA_READ = 2, API_SINCE(2.2)
    DOCA_ACCESS_RDMA_WRITE = 4, API_SINCE(2.2)
    DOCA_ACCESS_RDMA_ATOMIC = 8, API_SINCE(2.2)
    DOCA_ACCESS_DPU_READ_ONLY = 16, API_SINCE(2.2)
    DOCA_ACCESS_DPU_READ_WRITE = 32, API_SINCE(2.2)
};
#endif

enum doca_pci_func_type {
    DOCA_PCI_FUNC_PF = 0,
    DOCA_PCI_FUNC_VF = 1,
    DOCA_PCI_FUNC_SF = 2,
};

#if !API_BEFORE(2.2)
enum doca_gpu_mem_type {
    DOCA_GPU_MEM_GPU = 0,
    DOCA_GPU_MEM_GPU_CPU = 1,
    DOCA_GPU_MEM_CPU = 2,
    DOCA_GPU_MEM_CPU_GPU = 3,
};

enum doca_eth_wait_on_time {
    DOCA_ETH_WAIT_ON_TIME_NONE = 0,
    DOCA_ETH_WAIT_ON_TIME_NATIVE = 1,
    DOCA_ETH_WAIT_ON_TIME_DPDK = 2,
};

enum doca_mtu_size {
    DOCA_MTU_SIZE_256_BYTES = 0,
    DOCA_MTU_SIZE_512_BYTES = 1,
    DOCA_MTU_SIZE_1K_BYTES = 2,
    DOCA_MTU_SIZE_2K_BYTES = 3,
    DOCA_MTU_SIZE_4K_BYTES = 4,
    DOCA_MTU_SIZE_RAW_ETHERNET = 5,
};
#endif

typedef int doca_event_handle_t;
typedef doca_event_handle_t doca_notification_handle_t; API_SINCE(2.2)
typedef __be16 doca_be16_t; API_SINCE(2.2)
typedef __be32 doca_be32_t; API_SINCE(2.2)
typedef __be64 doca_be64_t; API_SINCE(2.2)

/* A word of user data: a pointer or a number. */
union doca_data {
    void *ptr;
    uint64_t u64;
};

#if API_BEFORE(2.2)
struct doca_pci_bdf {
    union {
        uint16_t raw;
        struct {
            uint16_t bus : 8;
            uint16_t device : 5;
            uint16_t function : 3;
        };
    };
};
#endif

#ifdef __cplusplus
}
#endif

#endif /* DOCA_TYPES_H_ */
