/* SPDX-License-Identifier: Apache-2.0 */
/* A stop of a map that an engine thread does not let go. The test takes the place of that thread. */
#include "common/mmap.h"
#include "dma_fixture.h"

static void
a_stop_does_not_wait_for_ever_for_an_engine(void) {
    struct mmap_key key = mmap_get_key(memory_map);
    mmap_pin(memory_map);
    CHECK_REFUSED(DOCA_ERROR_IN_USE, "Failed to stop: an engine is still accessing its memory after 5 s",
                  doca_mmap_stop(memory_map));
    CHECK(mmap_is_key_valid(&key));
    CHECK_REFUSED(DOCA_ERROR_IN_USE, "Failed to destroy: an engine is still accessing its memory after 5 s",
                  doca_mmap_destroy(memory_map));
    CHECK(mmap_is_key_valid(&key));
    mmap_unpin(memory_map);
    CHECK_SUCCESS(doca_mmap_stop(memory_map));
    CHECK(!mmap_is_key_valid(&key));
    CHECK_SUCCESS(doca_mmap_start(memory_map));
}

int
main(void) {
    set_up();
    a_stop_does_not_wait_for_ever_for_an_engine();
    tear_down();
    return check_result();
}
