/* SPDX-License-Identifier: Apache-2.0 */
#include <doca_ctx.h>

#include "check.h"
#include "device.h"
#include "rdma_side.h"

/* Returns the index in the device's GID table, for hardware; the emulator accepts any. */
static uint32_t
gid_index(void) {
    const char *index = getenv("DOCA_BENCH_GID_INDEX");
    return index == NULL ? 0 : (uint32_t)strtoul(index, NULL, 10);
}

void
rdma_side_open(struct rdma_side *side, size_t len, uint32_t num_bufs, uint32_t permissions) {
    side->dev = device_open_chosen();
    side->region = region_create(side->dev, len, permissions);
    CHECK(doca_buf_inventory_create(num_bufs, &side->inventory));
    CHECK(doca_buf_inventory_start(side->inventory));
    CHECK(doca_pe_create(&side->pe));
    CHECK(doca_rdma_create(side->dev, &side->rdma));
    CHECK(doca_rdma_set_permissions(side->rdma, permissions));
    CHECK(doca_rdma_set_grh_enabled(side->rdma, 1));
    CHECK(doca_rdma_set_gid_index(side->rdma, gid_index()));
    /* A sender retries without limit. */
    CHECK(doca_rdma_set_rnr_retry_count(side->rdma, 7));
    CHECK(doca_pe_connect_ctx(side->pe, doca_rdma_as_ctx(side->rdma)));
}

void
rdma_side_start(struct rdma_side *side, FILE *stream) {
    const void *details;
    size_t len;

    CHECK(doca_ctx_start(doca_rdma_as_ctx(side->rdma)));
    CHECK(doca_rdma_export(side->rdma, &details, &len, &side->connection));
    rdma_write_bytes(stream, details, len);
}

const char *
rdma_side_connect(struct rdma_side *side, const char *line) {
    uint8_t details[RDMA_MAX_DESCRIPTOR];
    size_t len;
    const char *rest = rdma_read_bytes(line, details, &len);

    CHECK(doca_rdma_connect(side->rdma, details, len, side->connection));
    return rest;
}

void
rdma_side_close(struct rdma_side *side) {
    const doca_error_t result = doca_ctx_stop(doca_rdma_as_ctx(side->rdma));
    enum doca_ctx_states state = DOCA_CTX_STATE_STOPPING;

    if (result != DOCA_ERROR_IN_PROGRESS) {
        check(result, "doca_ctx_stop");
    }
    while (state != DOCA_CTX_STATE_IDLE) {
        (void)doca_pe_progress(side->pe);
        CHECK(doca_ctx_get_state(doca_rdma_as_ctx(side->rdma), &state));
    }
    CHECK(doca_rdma_destroy(side->rdma));
    CHECK(doca_pe_destroy(side->pe));
    CHECK(doca_buf_inventory_destroy(side->inventory));
    region_destroy(&side->region);
    CHECK(doca_dev_close(side->dev));
}

void
rdma_write_bytes(FILE *stream, const void *bytes, size_t len) {
    for (size_t i = 0; i < len; i++) {
        fprintf(stream, "%02x", ((const uint8_t *)bytes)[i]);
    }
    fputc(' ', stream);
}

const char *
rdma_read_bytes(const char *text, uint8_t bytes[RDMA_MAX_DESCRIPTOR], size_t *len) {
    unsigned int byte;

    for (*len = 0; *len < RDMA_MAX_DESCRIPTOR && sscanf(text, "%2x", &byte) == 1; text += 2) {
        bytes[(*len)++] = (uint8_t)byte;
        if (text[1] == '\0' || text[2] == ' ') {
            break;
        }
    }
    if (*len == 0) {
        fail("no descriptor: %s", text);
    }
    while (*text != ' ' && *text != '\0') {
        text++;
    }
    return *text == ' ' ? text + 1 : text;
}
