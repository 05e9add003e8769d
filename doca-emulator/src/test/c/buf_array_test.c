/* SPDX-License-Identifier: Apache-2.0 */
#include <doca_buf_array.h>

#include "fixture.h"

static uint8_t memory[256];

static void
an_array_can_be_configured_and_not_started(void) {
    struct doca_mmap *mmap = start_mmap(memory, sizeof(memory), NULL);
    struct doca_buf_arr *array;
    doca_dpa_dev_buf_arr_t dpa_handle;
    struct doca_gpu_buf_arr *gpu_handle;
    int target;
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_arr_create(0, &array));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_arr_create(4, NULL));
    REQUIRE_SUCCESS(doca_buf_arr_create(4, &array));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_arr_set_params(array, NULL, 64, 0));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_arr_set_params(array, mmap, 0, 0));
    CHECK_SUCCESS(doca_buf_arr_set_params(array, mmap, 64, 0));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_arr_set_target_dpa(array, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_arr_set_target_gpu(array, NULL));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_buf_arr_set_target_dpa(array, (struct doca_dpa *)&target));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_buf_arr_set_target_gpu(array, (struct doca_gpu *)&target));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_buf_arr_start(array));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_arr_get_dpa_handle(array, NULL));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_buf_arr_get_dpa_handle(array, &dpa_handle));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_buf_arr_get_gpu_handle(array, &gpu_handle));
    CHECK_SUCCESS(doca_buf_arr_stop(array));
    CHECK_SUCCESS(doca_buf_arr_destroy(array));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_arr_destroy(array));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_arr_stop(array));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
}

int
main(void) {
    an_array_can_be_configured_and_not_started();
    return check_result();
}
