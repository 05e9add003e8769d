/* SPDX-License-Identifier: Apache-2.0 */
#include <doca_buf_array.h>

#include "2.5/front.h"
#include "common/mmap_object.h"
#include "common/sdk_log.h"

FUNCTION_2_5(doca_buf_arr_create, (struct doca_mmap *mmap, struct doca_buf_arr **buf_arr)) {
    return IS_LIVE(mmap_class, mmap) ? doca_buf_arr_create(1, buf_arr) : DOCA_ERROR_INVALID_VALUE;
}

/* The creation already got a memory map. The one here does not matter, as no array can be started. */
FUNCTION_2_5(doca_buf_arr_set_params,
             (struct doca_buf_arr *buf_arr, size_t size, uint32_t num_elem, uint32_t start_offset)) {
    (void)start_offset;
    if (size == 0 || num_elem == 0) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Buf array %p: Invalid input: %u elements of %zu bytes", buf_arr,
                          num_elem, size);
    }
    return DOCA_SUCCESS;
}
