/* SPDX-License-Identifier: Apache-2.0 */
/* A slot of a connection that is reused while the peer of the earlier connection begins or ends an operation. */
#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "rdma/link.h"
#include "rdma_fixture.h"

#define MAX_NUM_BLOCKS 8

static struct link_block *blocks[MAX_NUM_BLOCKS];
static size_t num_blocks;

static void
map_link(int fd) {
    struct stat status;
    CHECK_EQUAL(0, fstat(fd, &status));
    struct link_block *block = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (block == MAP_FAILED) {
        CHECK_FAILED("the shared file cannot be mapped");
    } else if (memcmp(block->header.magic, LINK_BLOCK_MAGIC, SHARE_MAGIC_SIZE) == 0 && num_blocks < MAX_NUM_BLOCKS) {
        blocks[num_blocks++] = block;
    } else {
        munmap(block, (size_t)status.st_size);
    }
}

/* Maps the links of all contexts of this process. */
static void
map_links(void) {
    DIR *folder = opendir("/proc/self/fd");
    struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        char target[256] = "";
        if (readlinkat(dirfd(folder), entry->d_name, target, sizeof(target) - 1) > 0 &&
            strncmp(target, "/memfd:doca-emulator", strlen("/memfd:doca-emulator")) == 0) {
            map_link(atoi(entry->d_name));
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
}

static void
unmap_links(void) {
    while (num_blocks > 0) {
        struct link_block *block = blocks[--num_blocks];
        munmap(block, block->header.size);
    }
}

/*
 * As if the slot was reused after the peer had read the state and the secret: the test changes only what the peer changes
 * next.
 */
static void
a_late_peer_does_not_begin_an_operation(void) {
    struct side a = create_running_side();
    struct side b = create_running_side();
    connect_sides(&a, &b);
    map_links();
    CHECK_EQUAL(2, num_blocks);
    for (size_t i = 0; i < num_blocks; i++) {
        for (uint32_t k = 0; k < blocks[i]->header.num_slots; k++) {
            atomic_fetch_xor(&blocks[i]->slots[k].users, UINT64_C(1) << 32);
        }
    }
    CHECK_SUCCESS(doca_task_submit(make_write(&a, 0, NULL, NULL, 1)));
    progress_until(1);
    check_event(1, DOCA_ERROR_CONNECTION_RESET);
    for (size_t i = 0; i < num_blocks; i++) {
        for (uint32_t k = 0; k < blocks[i]->header.num_slots; k++) {
            CHECK(!link_slot_has_users(&blocks[i]->slots[k]));
        }
    }
    unmap_links();
    forget_events();
    destroy_side(&a);
    destroy_side(&b);
}

/* The owner did not wait any longer, and has reused the slot. */
static void
a_late_peer_does_not_end_the_operations_of_another(void) {
    static const uint8_t earlier[SHARE_NONCE_SIZE] = {1};
    static const uint8_t later[SHARE_NONCE_SIZE] = {2};
    struct link_slot slot;
    atomic_init(&slot.users, link_slot_no_users(earlier));
    CHECK(link_slot_add_users(&slot, earlier, 1));
    CHECK(link_slot_has_users(&slot));
    atomic_store(&slot.users, link_slot_no_users(later));
    CHECK(!link_slot_has_users(&slot));
    CHECK(!link_slot_add_users(&slot, earlier, -1));
    CHECK(!link_slot_has_users(&slot));
    CHECK(link_slot_add_users(&slot, later, 1));
    CHECK(link_slot_has_users(&slot));
    CHECK(link_slot_add_users(&slot, later, -1));
    CHECK(!link_slot_has_users(&slot));
}

int
main(void) {
    keep_errors();
    open_fixture();
    a_late_peer_does_not_begin_an_operation();
    a_late_peer_does_not_end_the_operations_of_another();
    close_fixture();
    check_nothing_logged();
    return check_result();
}
