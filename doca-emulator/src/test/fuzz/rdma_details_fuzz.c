/* SPDX-License-Identifier: Apache-2.0 */
/* Connection details of RDMA peers. */
#include "fuzz.h"

#include "../c/rdma_fixture.h"

static struct side own;

/* A connected connection accepts no other details, so the next input uses a new connection. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (doca_rdma_connect(own.rdma, data, size, own.connections[0]) == DOCA_SUCCESS) {
        stop_side(&own);
        start_side(&own);
        export_connection(&own, 0);
    }
    return 0;
}

static size_t
fuzz_begin(uint8_t *data) {
    static struct side peer;
    open_fixture();
    own = create_running_side();
    peer = create_running_side();
    export_connection(&own, 0);
    export_connection(&peer, 0);
    memcpy(data, peer.details[0], peer.details_size[0]);
    return peer.details_size[0];
}

static void
fuzz_seal(uint8_t *data, size_t size) {
    fuzz_seal_descriptor(data, size);
}

int
main(void) {
    return fuzz();
}
