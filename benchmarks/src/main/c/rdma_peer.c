/* SPDX-License-Identifier: Apache-2.0 */
/*
 * doca_bench_rdma_peer SIZE COUNT: the peer of an RDMA connection. Its COUNT ranges of SIZE bytes can be read and written,
 * and each is the buffer of a receive that is posted again when it has completed. It prints one line with the details of
 * its connection, the export of its memory, and the address and length of the memory. Then it reads the details of the
 * other side in one line, prints "connected", and runs until the end of its standard input.
 */
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include <doca_ctx.h>

#include "check.h"
#include "rdma_side.h"

/* The number of progress calls without an event after which the process sleeps. */
#define PATIENCE 20000

static void
post_again(struct doca_rdma_task_receive *receive, union doca_data task_data, union doca_data ctx_data) {
    (void)task_data;
    (void)ctx_data;
    CHECK(doca_buf_reset_data_len(doca_rdma_task_receive_get_dst_buf(receive)));
    CHECK(doca_task_submit(doca_rdma_task_receive_as_task(receive)));
}

static void
drop(struct doca_rdma_task_receive *receive, union doca_data task_data, union doca_data ctx_data) {
    (void)task_data;
    (void)ctx_data;
    doca_task_free(doca_rdma_task_receive_as_task(receive));
}

static void
post(struct rdma_side *side, size_t size, uint32_t index) {
    struct doca_buf *buf;
    struct doca_rdma_task_receive *receive;

    CHECK(doca_buf_inventory_buf_get_by_addr(side->inventory, side->region.mmap, side->region.addr + index * size,
                                             size, &buf));
    CHECK(doca_rdma_task_receive_allocate_init(side->rdma, buf, (union doca_data){.u64 = index}, &receive));
    CHECK(doca_task_submit(doca_rdma_task_receive_as_task(receive)));
}

/* Sleeps until there is work. Returns false once the input has ended. */
static bool
await(struct doca_pe *pe) {
    doca_notification_handle_t handle;

    CHECK(doca_pe_get_notification_handle(pe, &handle));
    CHECK(doca_pe_request_notification(pe));
    struct pollfd events[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = handle, .events = POLLIN}};
    (void)poll(events, 2, -1);
    CHECK(doca_pe_clear_notification(pe, handle));
    char byte;
    return events[0].revents == 0 || read(STDIN_FILENO, &byte, 1) > 0;
}

static void
serve(struct doca_pe *pe) {
    uint32_t idle = 0;

    for (;;) {
        idle = doca_pe_progress(pe) != 0 ? 0 : idle + 1;
        if (idle == PATIENCE) {
            idle = 0;
            if (!await(pe)) {
                return;
            }
        }
    }
}

static void
introduce(struct rdma_side *side) {
    const void *export;
    size_t len;

    rdma_side_start(side, stdout);
    CHECK(doca_mmap_export_rdma(side->region.mmap, side->dev, &export, &len));
    rdma_write_bytes(stdout, export, len);
    printf("%llu %zu\n", (unsigned long long)(uintptr_t)side->region.addr, side->region.len);
    fflush(stdout);
}

/* Reads single bytes, because poll() would not see bytes in a buffer. */
static void
read_line(char line[RDMA_MAX_LINE]) {
    size_t len = 0;
    while (len < RDMA_MAX_LINE - 1 && read(STDIN_FILENO, &line[len], 1) == 1 && line[len] != '\n') {
        len++;
    }
    line[len] = '\0';
}

/* Returns a valid number, or 0. */
static uint32_t
parse(const char *text) {
    char *end;
    const unsigned long long number = strtoull(text, &end, 10);
    return *end == '\0' && number <= UINT32_MAX ? (uint32_t)number : 0;
}

int
main(int argc, char *argv[]) {
    static char line[RDMA_MAX_LINE];
    struct rdma_side side = {0};
    if (argc != 3) {
        fail("expected SIZE COUNT");
    }
    const size_t size = parse(argv[1]);
    const uint32_t count = parse(argv[2]);
    if (size == 0 || count == 0) {
        fail("SIZE and COUNT must be numbers, and are not %s and %s", argv[1], argv[2]);
    }
    rdma_side_open(&side, size * count, count,
                   DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE);
    CHECK(doca_rdma_task_receive_set_conf(side.rdma, post_again, drop, count));
    introduce(&side);
    read_line(line);
    (void)rdma_side_connect(&side, line);
    for (uint32_t i = 0; i < count; i++) {
        post(&side, size, i);
    }
    puts("connected");
    fflush(stdout);

    serve(side.pe);

    /* The requester may already have ended. Posted receives end with the process. */
    return EXIT_SUCCESS;
}
