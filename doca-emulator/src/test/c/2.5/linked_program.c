/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that uses only functions of RDMA that release 2.5 and newer ones have, and runs with the libraries of 3.0. It was
 * compiled with the headers of either. It prints the result of doca_rdma_create(). With an argument it would continue with the
 * export.
 */
#include <stdio.h>
#include <stdlib.h>

#include <doca_dev.h>
#include <doca_error.h>
#include <doca_log.h>
#include <doca_rdma.h>
#include <doca_version.h>

int
main(int count, char **arguments) {
    struct doca_log_backend *log;
    struct doca_devinfo **list;
    uint32_t num_devices;
    struct doca_dev *dev;
    struct doca_rdma *rdma = NULL;
    const void *details;
    size_t size;
    (void)arguments;
    if (doca_log_backend_create_with_file_sdk(stdout, &log) != DOCA_SUCCESS
        || doca_devinfo_create_list(&list, &num_devices) != DOCA_SUCCESS || num_devices == 0
        || doca_dev_open(list[0], &dev) != DOCA_SUCCESS) {
        return EXIT_FAILURE;
    }
    const doca_error_t result = doca_rdma_create(dev, &rdma);
    printf("%s with %s\n", doca_error_get_name(result), doca_version_runtime());
    if (count > 1) {
#if DOCA_VERSION_MAJOR >= 3
        struct doca_rdma_connection *connection;
        const doca_error_t exported = doca_rdma_export(rdma, &details, &size, &connection);
#else
        const doca_error_t exported = doca_rdma_export(rdma, &details, &size);
#endif
        printf("%s\n", doca_error_get_name(exported));
    }
    if (rdma != NULL) {
        (void)doca_rdma_destroy(rdma);
    }
    (void)doca_dev_close(dev);
    (void)doca_devinfo_destroy_list(list);
    return EXIT_SUCCESS;
}
