/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by these programs: they exit at the first failure, and find the device at an address. */
#ifndef SAMPLES_CHECK_H_
#define SAMPLES_CHECK_H_

#include <stdio.h>
#include <stdlib.h>

#include <doca_build_config.h>
#include <doca_dev.h>
#include <doca_error.h>

#define CHECK(call) check(call, #call)

static inline void
check(doca_error_t result, const char *call) {
    if (result != DOCA_SUCCESS) {
        fprintf(stderr, "%s: %s\n", call, doca_error_get_descr(result));
        exit(EXIT_FAILURE);
    }
}

static inline FILE *
open_file(const char *path, const char *mode) {
    FILE *file = fopen(path, mode);
    if (file == NULL) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    return file;
}

static inline struct doca_dev *
open_device(const char *pci_addr) {
    struct doca_devinfo **devices;
    uint32_t num_devices;
    struct doca_dev *dev = NULL;
    CHECK(doca_devinfo_create_list(&devices, &num_devices));
    for (uint32_t i = 0; i < num_devices && dev == NULL; i++) {
        uint8_t is_equal = 0;
        CHECK(doca_devinfo_is_equal_pci_addr(devices[i], pci_addr, &is_equal));
        if (is_equal) {
            CHECK(doca_dev_open(devices[i], &dev));
        }
    }
    CHECK(doca_devinfo_destroy_list(devices));
    check(dev == NULL ? DOCA_ERROR_NOT_FOUND : DOCA_SUCCESS, pci_addr);
    return dev;
}

#endif /* SAMPLES_CHECK_H_ */
