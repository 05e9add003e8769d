/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include <doca_types.h>

#include "common/sdk_log.h"
#include "common/settings.h"
#include "common/shared_block.h"
#include "rdma/link.h"

#define ALIGNMENT ((size_t)64)

static const struct shared_block_use use = {.task = "connect", .thing = "the RDMA context"};

/*
 * The layout
 */

static size_t
align(size_t size) {
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static void
lay_out(const struct link_layout *layout, struct link_header *header) {
    const size_t slots_end = sizeof(struct link_block) + layout->num_slots * sizeof(struct link_slot);
    const size_t receive_size =
            align(sizeof(struct link_receive) + layout->max_extents * sizeof(struct link_extent));
    memcpy(header->magic, LINK_BLOCK_MAGIC, SHARE_MAGIC_SIZE);
    header->version = LINK_VERSION;
    header->num_slots = layout->num_slots;
    header->permissions = layout->permissions;
    header->num_receives = layout->num_receives;
    header->receive_size = (uint32_t)receive_size;
    header->max_extents = layout->max_extents;
    header->gid_type = layout->gid_type;
    header->mtu = layout->mtu;
    header->receives_offset = align(slots_end);
    header->size = header->receives_offset + layout->num_receives * receive_size;
}

/* Returns whether a block of that size holds all parts of the layout for these numbers. */
static bool
is_laid_out(const struct link_header *header) {
    const struct link_layout layout = {.num_slots = header->num_slots,
                                       .num_receives = header->num_receives,
                                       .max_extents = header->max_extents,
                                       .permissions = header->permissions,
                                       .gid_type = header->gid_type,
                                       .mtu = header->mtu};
    struct link_header expected = *header;
    if (header->mtu > DOCA_MTU_SIZE_RAW_ETHERNET && header->mtu != LINK_ANY_MTU) {
        return false;
    }
    if (layout.num_slots > UINT16_MAX + 1 || layout.max_extents > UINT16_MAX || layout.num_receives == 0 ||
        (layout.num_receives & (layout.num_receives - 1)) != 0) {
        return false;
    }
    lay_out(&layout, &expected);
    return memcmp(&expected, header, sizeof(expected)) == 0;
}

static void
fill_randomly(uint8_t *bytes, size_t size) {
    size_t filled = 0;
    while (filled < size) {
        const ssize_t len = getrandom(bytes + filled, size - filled, 0);
        filled += len > 0 ? (size_t)len : 0;
    }
}

/*
 * The own link
 */

doca_error_t
rdma_link_create(const struct link_layout *layout, const struct node_descriptor *node, struct link *link) {
    struct link_header header = {.node = *node};
    void *memory;
    lay_out(layout, &header);
    fill_randomly(header.nonce, sizeof(header.nonce));
    uint32_t *free_slots = malloc(header.num_slots * sizeof(*free_slots));
    if (free_slots == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    const doca_error_t result = shared_block_create(&use, header.size, &link->fd, &memory);
    if (result != DOCA_SUCCESS) {
        free(free_slots);
        return result;
    }
    link->block = memory;
    link->block->header = header;
    link->header = header;
    link->free_slots = free_slots;
    link->first_free_slot = 0;
    for (link->num_free_slots = 0; link->num_free_slots < header.num_slots; link->num_free_slots++) {
        free_slots[link->num_free_slots] = link->num_free_slots;
    }
    link->generation = process_generation();
    for (uint32_t i = 0; i < header.num_receives; i++) {
        /* As at the end of a previous round of the ring. */
        atomic_store(&link_receive_at(link->block, &header, i)->word,
                     link_receive_word(i - header.num_receives, LINK_RECEIVE_NONE, 0));
    }
    atomic_store(&link->block->is_live, 1);
    return DOCA_SUCCESS;
}

bool
rdma_link_is_inherited(const struct link *link) {
    return link->generation != process_generation();
}

void
rdma_link_close(struct link *link) {
    if (!rdma_link_is_inherited(link)) {
        atomic_store(&link->block->is_live, 0);
    }
}

void
rdma_link_destroy(struct link *link) {
    shared_block_destroy(link->fd, link->block, link->header.size);
    free(link->free_slots);
    link->block = NULL;
    link->free_slots = NULL;
}

int64_t
rdma_link_take_slot(struct link *link, uint32_t connection_serial) {
    if (link->num_free_slots == 0) {
        return -1;
    }
    const uint32_t index = link->free_slots[link->first_free_slot];
    link->first_free_slot = (link->first_free_slot + 1) % link->header.num_slots;
    link->num_free_slots--;
    struct link_slot *slot = &link->block->slots[index];
    slot->connection_serial = connection_serial;
    fill_randomly(slot->secret, sizeof(slot->secret));
    atomic_store(&slot->users, link_slot_no_users(slot->secret));
    atomic_store(&slot->state, LINK_SLOT_OPEN);
    return index;
}

static const struct descriptor_type descriptor_type = {
        .magic = "DOCAEMUC",
        .version = LINK_VERSION,
        .min_size = sizeof(struct link_descriptor),
        .max_size = sizeof(struct link_descriptor),
        .error = DOCA_ERROR_CONNECTION_ABORTED,
        .task = "connect",
        .name = "connection details",
};

void
rdma_link_describe(const struct link *link, uint32_t slot, struct link_descriptor *descriptor) {
    const struct link_header *header = &link->header;
    *descriptor = (struct link_descriptor){
            .block_size = header->size,
            .pid = process_pid(header->node.place.process),
            .fd = link->fd,
            .user = header->node.user,
            .slot = slot,
    };
    memcpy(descriptor->end.link, header->nonce, sizeof(header->nonce));
    memcpy(descriptor->end.secret, link->block->slots[slot].secret, sizeof(descriptor->end.secret));
    descriptor_seal(&descriptor_type, &descriptor->head, sizeof(*descriptor));
}

void
rdma_link_connect_slot(struct link *link, uint32_t slot, const struct link_end *peer) {
    link->block->slots[slot].peer = *peer;
    atomic_store(&link->block->slots[slot].state, LINK_SLOT_CONNECTED);
}

void
rdma_link_close_slot(struct link *link, uint32_t slot) {
    atomic_store(&link->block->slots[slot].state, LINK_SLOT_CLOSED);
}

void
rdma_link_free_slot(struct link *link, uint32_t slot) {
    atomic_store(&link->block->slots[slot].state, LINK_SLOT_FREE);
    link->free_slots[(link->first_free_slot + link->num_free_slots) % link->header.num_slots] = slot;
    link->num_free_slots++;
}

/*
 * Links of peers
 */

#define REFUSE(...) SDK_REFUSE(DOCA_ERROR_CONNECTION_ABORTED, "Failed to connect: " __VA_ARGS__)

doca_error_t
rdma_link_read_descriptor(const void *bytes, size_t size, struct link_descriptor *descriptor) {
    const doca_error_t result = descriptor_read(&descriptor_type, bytes, size, &descriptor->head);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (descriptor->pid <= 0 || descriptor->fd < 0 || descriptor->block_size < sizeof(struct link_block)) {
        return REFUSE("the descriptor names no process and file: %d, %d", descriptor->pid, descriptor->fd);
    }
    return DOCA_SUCCESS;
}

static doca_error_t
check_header(const struct link_descriptor *descriptor, const struct link_header *header) {
    if (memcmp(header->magic, LINK_BLOCK_MAGIC, SHARE_MAGIC_SIZE) != 0 || header->version != LINK_VERSION ||
        header->size != descriptor->block_size || !is_laid_out(header)) {
        return REFUSE("the RDMA context has ended: file %d of process %d is no link", descriptor->fd,
                      descriptor->pid);
    }
    if (memcmp(header->nonce, descriptor->end.link, sizeof(header->nonce)) != 0 ||
        process_pid(header->node.place.process) != descriptor->pid) {
        return REFUSE("the RDMA context has ended: process %d has another one by now", descriptor->pid);
    }
    return DOCA_SUCCESS;
}

static doca_error_t
map_link(const struct link_descriptor *descriptor, struct remote_link *remote) {
    const struct shared_block_place place = {.pid = descriptor->pid,
                                             .user = descriptor->user,
                                             .fd = descriptor->fd,
                                             .size = descriptor->block_size};
    void *memory;
    if (shared_block_open(&use, &place, &memory) != DOCA_SUCCESS) {
        return DOCA_ERROR_CONNECTION_ABORTED;
    }
    remote->block = memory;
    remote->header = remote->block->header;
    doca_error_t result = check_header(descriptor, &remote->header);
    if (result == DOCA_SUCCESS && rdma_node_open(&remote->header.node, &remote->node) != DOCA_SUCCESS) {
        result = DOCA_ERROR_CONNECTION_ABORTED;
    }
    if (result != DOCA_SUCCESS) {
        shared_block_close(memory, descriptor->block_size);
    }
    return result;
}

static doca_error_t
add_link(struct remote_link **known, const struct link_descriptor *descriptor) {
    struct remote_link *added = calloc(1, sizeof(*added));
    if (added == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    const doca_error_t result = map_link(descriptor, added);
    if (result != DOCA_SUCCESS) {
        free(added);
        return result;
    }
    added->next = *known;
    *known = added;
    return DOCA_SUCCESS;
}

doca_error_t
rdma_remote_link_open(
        struct remote_link **known, const struct link_descriptor *descriptor, struct remote_link **remote) {
    struct remote_link *found = *known;
    while (found != NULL && memcmp(found->header.nonce, descriptor->end.link, sizeof(found->header.nonce)) != 0) {
        found = found->next;
    }
    if (found == NULL) {
        const doca_error_t result = add_link(known, descriptor);
        if (result != DOCA_SUCCESS) {
            return result;
        }
        found = *known;
    }
    found->num_users++;
    *remote = found;
    return DOCA_SUCCESS;
}

void
rdma_remote_link_close(struct remote_link **known, struct remote_link *remote) {
    remote->num_users--;
    if (remote->num_users > 0) {
        return;
    }
    struct remote_link **link = known;
    while (*link != remote) {
        link = &(*link)->next;
    }
    *link = remote->next;
    shared_block_close(remote->block, remote->header.size);
    rdma_node_release(remote->node);
    free(remote);
}
