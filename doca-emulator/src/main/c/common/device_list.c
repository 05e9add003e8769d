/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "device_list.h"
#include "sdk_log.h"

struct device_list {
    struct device_list *next;
    struct function_info *handles[];
};

struct function_info *
device_list_create_info(struct object_class *info_class, const struct topology_function *function) {
    struct function_info *info = object_create(info_class);
    if (info != NULL) {
        info->function = function;
    }
    return info;
}

static void
destroy_handles(struct device_lists *lists, struct device_list *list) {
    for (size_t i = 0; list->handles[i] != NULL; i++) {
        object_destroy(lists->info_class, list->handles[i]);
    }
    free(list);
}

doca_error_t
device_list_create(struct device_lists *lists, const struct topology_function *const *functions,
                   uint32_t num_functions, struct function_info ***handles) {
    struct device_list *list = calloc(1, sizeof(*list) + ((size_t)num_functions + 1) * sizeof(list->handles[0]));
    if (list == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < num_functions; i++) {
        list->handles[i] = device_list_create_info(lists->info_class, functions[i]);
        if (list->handles[i] == NULL) {
            destroy_handles(lists, list);
            return DOCA_ERROR_NO_MEMORY;
        }
    }
    pthread_mutex_lock(&lists->lock);
    list->next = lists->first;
    lists->first = list;
    pthread_mutex_unlock(&lists->lock);
    *handles = list->handles;
    return DOCA_SUCCESS;
}

doca_error_t
device_list_destroy(struct device_lists *lists, struct function_info **handles) {
    pthread_mutex_lock(&lists->lock);
    struct device_list **link = &lists->first;
    while (*link != NULL && (*link)->handles != handles) {
        link = &(*link)->next;
    }
    struct device_list *list = *link;
    if (list != NULL) {
        *link = list->next;
    }
    pthread_mutex_unlock(&lists->lock);
    if (list == NULL) {
        SDK_LOG_ERR("Invalid input: %p is no %s list, or was destroyed before", (void *)handles,
                    lists->info_class->name);
        return DOCA_ERROR_INVALID_VALUE;
    }
    destroy_handles(lists, list);
    return DOCA_SUCCESS;
}
