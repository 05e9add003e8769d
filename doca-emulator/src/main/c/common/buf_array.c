/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffer arrays are for a DPA or a GPU. Neither is emulated, so an array can be configured but not started.
 */
#include <doca_buf_array.h>

#include "mmap_object.h"
#include "sdk_log.h"

struct doca_buf_arr {
    struct object object;
};

static struct object_class buf_arr_class = OBJECT_CLASS("buf array", struct doca_buf_arr);

doca_error_t
doca_buf_arr_create(size_t num_elem, struct doca_buf_arr **buf_arr) {
    if (num_elem == 0 || buf_arr == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: a buf array of %zu elements at %p", num_elem,
                          buf_arr);
    }
    struct doca_buf_arr *created = object_create(&buf_arr_class);
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    *buf_arr = created;
    return DOCA_SUCCESS;
}

doca_error_t
doca_buf_arr_destroy(struct doca_buf_arr *buf_arr) {
    if (!IS_LIVE(buf_arr_class, buf_arr)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    object_destroy(&buf_arr_class, buf_arr);
    return DOCA_SUCCESS;
}

doca_error_t
doca_buf_arr_set_params(
        struct doca_buf_arr *buf_arr, struct doca_mmap *mmap, size_t elem_size, uint64_t start_offset) {
    (void)start_offset;
    if (!IS_LIVE(buf_arr_class, buf_arr) || !IS_LIVE(mmap_class, mmap)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (elem_size == 0) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Buf array %p: Invalid input: elements of 0 bytes", buf_arr);
    }
    return DOCA_SUCCESS;
}

static doca_error_t
refuse_target(const struct doca_buf_arr *buf_arr, const void *target, const char *what) {
    if (!IS_LIVE(buf_arr_class, buf_arr)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (target == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Buf array %p: Invalid input: the %s is NULL", buf_arr, what);
    }
    return SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED, "Buf array %p: a %s is not emulated", buf_arr, what);
}

doca_error_t
doca_buf_arr_set_target_dpa(struct doca_buf_arr *buf_arr, struct doca_dpa *dpa_handler) {
    return refuse_target(buf_arr, dpa_handler, "DPA");
}

doca_error_t
doca_buf_arr_set_target_gpu(struct doca_buf_arr *buf_arr, struct doca_gpu *gpu_handler) {
    return refuse_target(buf_arr, gpu_handler, "GPU");
}

doca_error_t
doca_buf_arr_start(struct doca_buf_arr *buf_arr) {
    if (!IS_LIVE(buf_arr_class, buf_arr)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Buf array %p: Failed to start: has no target", buf_arr);
}

doca_error_t
doca_buf_arr_stop(struct doca_buf_arr *buf_arr) {
    return IS_LIVE(buf_arr_class, buf_arr) ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t
refuse_handle(const struct doca_buf_arr *buf_arr, const void *handle) {
    if (!IS_LIVE(buf_arr_class, buf_arr)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (handle == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Buf array %p: Invalid input: no place for the handle", buf_arr);
    }
    return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Buf array %p: is not started", buf_arr);
}

doca_error_t
doca_buf_arr_get_dpa_handle(const struct doca_buf_arr *buf_arr, doca_dpa_dev_buf_arr_t *dpa_buf_arr) {
    return refuse_handle(buf_arr, dpa_buf_arr);
}

doca_error_t
doca_buf_arr_get_gpu_handle(const struct doca_buf_arr *buf_arr, struct doca_gpu_buf_arr **gpu_buf_arr) {
    return refuse_handle(buf_arr, gpu_buf_arr);
}
