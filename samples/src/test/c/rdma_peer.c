/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rdma_peer ROLE PCI-ADDRESS TEXT LOCAL-FILE REMOTE-FILE RESOURCE-FILE: one side of an RDMA connection by
 * descriptors. ROLE is send, receive, read, write, serve_read or serve_write. It writes LOCAL-FILE, and RESOURCE-FILE
 * if it serves, prints "exported", waits for enter, reads the others, and performs its role; a server prints
 * "serving" and waits for enter.
 *
 * With the headers of a release before 2.9, it is a program of that release: a context has one connection, which no
 * function names, and allocates tasks once it is connected.
 */
#include <stdbool.h>
#include <string.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_mmap.h>
#include <doca_pe.h>
#include <doca_rdma.h>
#include <doca_version.h>

#include "check.h"

#define RANGE 4096
#define MESSAGE 256

#if DOCA_VER_MAJOR == 2 && DOCA_VER_MINOR < 9
#define ONE_CONNECTION
#endif

/* The parameters that name a connection, where there are any. */
#ifdef ONE_CONNECTION
#define TO_PEER(peer) (peer)->rdma
#else
#define TO_PEER(peer) (peer)->rdma, (peer)->connection
#endif

struct blob {
    char bytes[1024];
    size_t len;
};

struct peer {
    const char *role;
    char *const *paths;
    struct doca_dev *dev;
    struct doca_mmap *mmap;
    struct doca_mmap *remote;
    struct doca_buf_inventory *inventory;
    struct doca_pe *pe;
    struct doca_rdma *rdma;
#ifndef ONE_CONNECTION
    struct doca_rdma_connection *connection;
#endif
    char *memory;
    char *remote_memory;
};

static bool
is_role(const struct peer *peer, const char *role) {
    return strcmp(peer->role, role) == 0;
}

static bool
is_server(const struct peer *peer) {
    return strncmp(peer->role, "serve", 5) == 0;
}

static void
say(const char *text) {
    puts(text);
    fflush(stdout);
}

static void
write_blob(const char *path, const void *bytes, size_t len) {
    FILE *file = open_file(path, "wb");
    check(fwrite(bytes, 1, len, file) == len ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED, path);
    fclose(file);
}

static struct blob
read_blob(const char *path) {
    struct blob blob;
    FILE *file = open_file(path, "rb");
    blob.len = fread(blob.bytes, 1, sizeof(blob.bytes), file);
    fclose(file);
    return blob;
}

/* The common part of the completion of each kind of task: stores its result at the address in the user data. */
#define ENDED(kind)                                                                                          \
    static void kind##_ended(struct doca_rdma_task_##kind *task, union doca_data data, union doca_data ctx) { \
        (void)ctx;                                                                                           \
        *(doca_error_t *)data.ptr = doca_task_get_status(doca_rdma_task_##kind##_as_task(task));             \
        doca_task_free(doca_rdma_task_##kind##_as_task(task));                                               \
    }

ENDED(send)
ENDED(receive)
ENDED(read)
ENDED(write)

static void
finish(struct peer *peer, struct doca_task *task, const doca_error_t *result) {
    CHECK(doca_task_submit(task));
    if (is_role(peer, "receive")) {
        say("receiving");
    }
    while (*result == DOCA_ERROR_IN_PROGRESS) {
        doca_pe_progress(peer->pe);
    }
    check(*result, peer->role);
}

static struct doca_buf *
data(struct peer *peer, struct doca_mmap *mmap, char *at, size_t len) {
    struct doca_buf *buf;
    CHECK(doca_buf_inventory_buf_get_by_data(peer->inventory, mmap, at, len, &buf));
    return buf;
}

static struct doca_buf *
space(struct peer *peer, struct doca_mmap *mmap, char *at, size_t len) {
    struct doca_buf *buf;
    CHECK(doca_buf_inventory_buf_get_by_addr(peer->inventory, mmap, at, len, &buf));
    return buf;
}

static void
send_text(struct peer *peer, union doca_data end) {
    struct doca_rdma_task_send *task;
    struct doca_buf *src = data(peer, peer->mmap, peer->memory, MESSAGE);
    CHECK(doca_rdma_task_send_allocate_init(TO_PEER(peer), src, end, &task));
    finish(peer, doca_rdma_task_send_as_task(task), end.ptr);
    CHECK(doca_buf_dec_refcount(src, NULL));
    say("sent");
}

static void
receive_text(struct peer *peer, union doca_data end) {
    struct doca_rdma_task_receive *task;
    struct doca_buf *dst = space(peer, peer->mmap, peer->memory, MESSAGE);
    CHECK(doca_rdma_task_receive_allocate_init(peer->rdma, dst, end, &task));
    finish(peer, doca_rdma_task_receive_as_task(task), end.ptr);
    CHECK(doca_buf_dec_refcount(dst, NULL));
    say(peer->memory);
}

static void
read_text(struct peer *peer, union doca_data end) {
    struct doca_rdma_task_read *task;
    struct doca_buf *src = data(peer, peer->remote, peer->remote_memory, MESSAGE);
    struct doca_buf *dst = space(peer, peer->mmap, peer->memory, MESSAGE);
    CHECK(doca_rdma_task_read_allocate_init(TO_PEER(peer), src, dst, end, &task));
    finish(peer, doca_rdma_task_read_as_task(task), end.ptr);
    CHECK(doca_buf_dec_refcount(src, NULL));
    CHECK(doca_buf_dec_refcount(dst, NULL));
    say(peer->memory);
}

static void
write_text(struct peer *peer, union doca_data end) {
    const size_t len = strlen(peer->memory) + 1;
    struct doca_rdma_task_write *task;
    struct doca_buf *src = data(peer, peer->mmap, peer->memory, len);
    struct doca_buf *dst = space(peer, peer->remote, peer->remote_memory, len);
    CHECK(doca_rdma_task_write_allocate_init(TO_PEER(peer), src, dst, end, &task));
    finish(peer, doca_rdma_task_write_as_task(task), end.ptr);
    CHECK(doca_buf_dec_refcount(src, NULL));
    CHECK(doca_buf_dec_refcount(dst, NULL));
    say("written");
}

static void
work(struct peer *peer) {
    doca_error_t result = DOCA_ERROR_IN_PROGRESS;
    const union doca_data end = {.ptr = &result};
    if (is_role(peer, "send")) {
        send_text(peer, end);
    } else if (is_role(peer, "receive")) {
        receive_text(peer, end);
    } else if (is_role(peer, "read")) {
        read_text(peer, end);
    } else if (is_role(peer, "write")) {
        write_text(peer, end);
    } else {
        say("serving");
        getchar();
        say(peer->memory);
    }
}

static void
map_memory(struct peer *peer, const char *text) {
    uint32_t access = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
    if (is_server(peer)) {
        access |= is_role(peer, "serve_read") ? DOCA_ACCESS_FLAG_RDMA_READ : DOCA_ACCESS_FLAG_RDMA_WRITE;
    }
    peer->memory = aligned_alloc(RANGE, RANGE);
    check(peer->memory == NULL ? DOCA_ERROR_NO_MEMORY : DOCA_SUCCESS, "aligned_alloc");
    memset(peer->memory, 0, RANGE);
    strncpy(peer->memory, text, MESSAGE);
    CHECK(doca_mmap_create(&peer->mmap));
    CHECK(doca_mmap_add_dev(peer->mmap, peer->dev));
    CHECK(doca_mmap_set_permissions(peer->mmap, access));
    CHECK(doca_mmap_set_memrange(peer->mmap, peer->memory, RANGE));
    CHECK(doca_mmap_start(peer->mmap));
}

static void
start(struct peer *peer) {
    const uint32_t access = is_role(peer, "serve_read")    ? DOCA_ACCESS_FLAG_RDMA_READ
                            : is_role(peer, "serve_write") ? DOCA_ACCESS_FLAG_RDMA_WRITE
                                                           : DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
    CHECK(doca_pe_create(&peer->pe));
    CHECK(doca_rdma_create(peer->dev, &peer->rdma));
    CHECK(doca_rdma_set_permissions(peer->rdma, access));
    CHECK(doca_rdma_task_send_set_conf(peer->rdma, send_ended, send_ended, 1));
    CHECK(doca_rdma_task_receive_set_conf(peer->rdma, receive_ended, receive_ended, 1));
    CHECK(doca_rdma_task_read_set_conf(peer->rdma, read_ended, read_ended, 1));
    CHECK(doca_rdma_task_write_set_conf(peer->rdma, write_ended, write_ended, 1));
    CHECK(doca_pe_connect_ctx(peer->pe, doca_rdma_as_ctx(peer->rdma)));
    const doca_error_t started = doca_ctx_start(doca_rdma_as_ctx(peer->rdma));
    check(started == DOCA_ERROR_IN_PROGRESS ? DOCA_SUCCESS : started, "doca_ctx_start");
    CHECK(doca_buf_inventory_create(2, &peer->inventory));
    CHECK(doca_buf_inventory_start(peer->inventory));
}

static void
export_connection(struct peer *peer, const void **descriptor, size_t *len) {
#ifdef ONE_CONNECTION
    CHECK(doca_rdma_export(peer->rdma, descriptor, len));
#else
    CHECK(doca_rdma_export(peer->rdma, descriptor, len, &peer->connection));
#endif
}

static void
await_state(struct peer *peer, enum doca_ctx_states awaited) {
    enum doca_ctx_states state;
    do {
        doca_pe_progress(peer->pe);
        CHECK(doca_ctx_get_state(doca_rdma_as_ctx(peer->rdma), &state));
    } while (state != awaited);
}

static void
connect_peer(struct peer *peer) {
    const void *descriptor;
    size_t len;
    export_connection(peer, &descriptor, &len);
    write_blob(peer->paths[0], descriptor, len);
    if (is_server(peer)) {
        CHECK(doca_mmap_export_rdma(peer->mmap, peer->dev, &descriptor, &len));
        write_blob(peer->paths[2], descriptor, len);
    }
    say("exported");
    getchar();
    const struct blob blob = read_blob(peer->paths[1]);
#ifdef ONE_CONNECTION
    CHECK(doca_rdma_connect(peer->rdma, blob.bytes, blob.len));
    await_state(peer, DOCA_CTX_STATE_RUNNING);
#else
    CHECK(doca_rdma_connect(peer->rdma, blob.bytes, blob.len, peer->connection));
#endif
    if (is_role(peer, "read") || is_role(peer, "write")) {
        const struct blob resource = read_blob(peer->paths[2]);
        CHECK(doca_mmap_create_from_export(NULL, resource.bytes, resource.len, peer->dev, &peer->remote));
        CHECK(doca_mmap_get_memrange(peer->remote, (void **)&peer->remote_memory, &len));
    }
}

static void
end_all(struct peer *peer) {
    const doca_error_t result = doca_ctx_stop(doca_rdma_as_ctx(peer->rdma));
    check(result == DOCA_ERROR_IN_PROGRESS ? DOCA_SUCCESS : result, "doca_ctx_stop");
    await_state(peer, DOCA_CTX_STATE_IDLE);
    CHECK(doca_rdma_destroy(peer->rdma));
    CHECK(doca_pe_destroy(peer->pe));
    CHECK(doca_buf_inventory_destroy(peer->inventory));
    if (peer->remote != NULL) {
        CHECK(doca_mmap_destroy(peer->remote));
    }
    CHECK(doca_mmap_destroy(peer->mmap));
    CHECK(doca_dev_close(peer->dev));
    free(peer->memory);
}

int
main(int argc, char *argv[]) {
    if (argc != 7) {
        return EXIT_FAILURE;
    }
    struct peer peer = {.role = argv[1], .paths = argv + 4, .dev = open_device(argv[2])};
    map_memory(&peer, argv[3]);
    start(&peer);
    connect_peer(&peer);
    work(&peer);
    end_all(&peer);
    say("ended");
    return EXIT_SUCCESS;
}
