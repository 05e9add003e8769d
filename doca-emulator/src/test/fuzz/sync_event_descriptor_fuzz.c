/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors of sync events for remote peers. */
#include "fuzz.h"

#include <doca_sync_event.h>

#include "../c/fixture.h"

static struct doca_dev *dev;

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct doca_sync_event_remote_net *imported;
    struct doca_sync_event *event;
    if (doca_sync_event_remote_net_create_from_export(dev, data, size, &imported) == DOCA_SUCCESS) {
        CHECK_SUCCESS(doca_sync_event_remote_net_destroy(imported));
    }
    if (doca_sync_event_create_from_export(dev, data, size, &event) == DOCA_SUCCESS) {
        CHECK_SUCCESS(doca_sync_event_destroy(event));
    }
    return 0;
}

static size_t
fuzz_begin(uint8_t *data) {
    struct doca_sync_event *event;
    const uint8_t *descriptor;
    size_t size;
    dev = open_device("mlx5_0");
    REQUIRE_SUCCESS(doca_sync_event_create(&event));
    REQUIRE_SUCCESS(doca_sync_event_add_publisher_location_remote_net(event));
    REQUIRE_SUCCESS(doca_sync_event_add_subscriber_location_cpu(event, dev));
    REQUIRE_SUCCESS(doca_sync_event_start(event));
    REQUIRE_SUCCESS(doca_sync_event_export_to_remote_net(event, &descriptor, &size));
    memcpy(data, descriptor, size);
    return size;
}

static void
fuzz_seal(uint8_t *data, size_t size) {
    fuzz_seal_descriptor(data, size);
}

int
main(void) {
    return fuzz();
}
