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

#define PCI_BUS_MAX_VALUE 256
#define PCI_DEVICE_MAX_VALUE 32
#define PCI_FUNCTION_MAX_VALUE 8
#define doca_event_invalid_handle (-1)

enum doca_access_flags {
    DOCA_ACCESS_LOCAL_READ = 0,
    DOCA_ACCESS_LOCAL_WRITE = 1,
    DOCA_ACCESS_REMOTE_WRITE = 2,
    DOCA_ACCESS_REMOTE_READ = 4,
    DOCA_ACCESS_REMOTE_ATOMIC = 8,
};

enum doca_pci_func_type {
    DOCA_PCI_FUNC_PF = 0,
    DOCA_PCI_FUNC_VF = 1,
    DOCA_PCI_FUNC_SF = 2,
};

typedef int doca_event_handle_t;

/* A word of user data: a pointer or a number. */
union doca_data {
    void *ptr;
    uint64_t u64;
};

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

#ifdef __cplusplus
}
#endif

#endif /* DOCA_TYPES_H_ */
