/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of functions of the topology, as returned to users: arrays of handles that end with NULL. Live lists are
 * recorded, so that destroying any other pointer is refused.
 */
#ifndef DOCA_EMULATOR_DEVICE_LIST_H_
#define DOCA_EMULATOR_DEVICE_LIST_H_

#include <pthread.h>

#include <doca_error.h>

#include "object.h"
#include "topology.h"

/* A handle that represents a function of the topology: doca_devinfo and doca_devinfo_rep. */
struct function_info {
    struct object object;
    const struct topology_function *function;
};

/* Lists of one kind of handle. */
struct device_lists {
    struct object_class *info_class;
    pthread_mutex_t lock;
    struct device_list *first;
};

/* Creates a live handle, or returns NULL. */
struct function_info *device_list_create_info(
        struct object_class *info_class, const struct topology_function *function);

doca_error_t device_list_create(struct device_lists *lists, const struct topology_function *const *functions,
                                uint32_t num_functions, struct function_info ***handles);

/* Destroys the list and its handles. */
doca_error_t device_list_destroy(struct device_lists *lists, struct function_info **handles);

#endif /* DOCA_EMULATOR_DEVICE_LIST_H_ */
