/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/fork.h"
#include "common/sdk_log.h"
#include "common/service_thread.h"
#include "common/shared_block.h"
#include "common/shared_lock.h"
#include "rdma/node.h"

#define NODE_BLOCK_MAGIC "DOCAEMUN"
#define NODE_MAGIC_SIZE 8
#define NODE_VERSION 2
#define NUM_LOCKS 64

struct node_lock {
    alignas(64) struct shared_lock lock;
};

struct node_block {
    char magic[NODE_MAGIC_SIZE];
    uint32_t version;
    uint32_t size;
    struct peer_place place;
    /* Incremented by each wake-up; a futex. */
    alignas(64) _Atomic uint32_t wakeups;
    struct node_lock locks[NUM_LOCKS];
};

struct node {
    struct node_descriptor descriptor;
    struct node_block *block;
    uint32_t num_users;
    /*
     * True for the node of this process, which has the file, the beacon, and a thread that waits for wake-ups once
     * there is a listener.
     */
    bool own;
    struct service_thread ear;
    /* The count of wake-ups before the thread was started. */
    uint32_t num_seen;
    /* Set to end the thread, before it is woken. */
    atomic_bool end;
    struct node *next;
};

static const struct shared_block_use use = {.task = "connect", .thing = "the RDMA context"};

static struct {
    /* Guards the members below, the numbers of users, and the thread of the own node. */
    pthread_mutex_t lock;
    struct node *own;
    struct node *others;
    TAILQ_HEAD(, node_listener) listeners;
} nodes = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .listeners = TAILQ_HEAD_INITIALIZER(nodes.listeners),
};

/* Runs in a forked child, which has its parent's data but is another process. */
static void
forget_parent(void) {
    nodes.own = NULL;
    nodes.others = NULL;
    TAILQ_INIT(&nodes.listeners);
}

GUARD_IN_FORKS(nodes, &nodes.lock, forget_parent)

/*
 * The node of this process
 */

static doca_error_t
create_block(struct node *node) {
    void *memory;
    const doca_error_t result = shared_block_create(&use, sizeof(*node->block), &node->descriptor.fd, &memory);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    node->block = memory;
    memcpy(node->block->magic, NODE_BLOCK_MAGIC, NODE_MAGIC_SIZE);
    node->block->version = NODE_VERSION;
    node->block->size = sizeof(*node->block);
    node->block->place = node->descriptor.place;
    return DOCA_SUCCESS;
}

static doca_error_t
create_own(struct node **node) {
    struct node *created = calloc(1, sizeof(*created));
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    created->own = true;
    created->descriptor.user = geteuid();
    doca_error_t result = beacon_create(&use, &created->descriptor.place);
    if (result == DOCA_SUCCESS) {
        result = create_block(created);
        if (result != DOCA_SUCCESS) {
            beacon_destroy(&created->descriptor.place);
        }
    }
    if (result != DOCA_SUCCESS) {
        free(created);
        return result;
    }
    *node = created;
    return DOCA_SUCCESS;
}

doca_error_t
rdma_node_acquire(struct node **node) {
    doca_error_t result = DOCA_SUCCESS;
    emulator_lock(&nodes.lock);
    if (nodes.own == NULL) {
        result = create_own(&nodes.own);
    }
    if (result == DOCA_SUCCESS) {
        nodes.own->num_users++;
        *node = nodes.own;
    }
    emulator_unlock(&nodes.lock);
    return result;
}

/*
 * The nodes of others
 */

static doca_error_t
check_block(const struct node_descriptor *descriptor, const struct node_block *block) {
    if (memcmp(block->magic, NODE_BLOCK_MAGIC, NODE_MAGIC_SIZE) != 0 || block->version != NODE_VERSION ||
        block->size != sizeof(*block) ||
        memcmp(&block->place, &descriptor->place, sizeof(descriptor->place)) != 0) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Failed to connect: file %d of process %d is of no RDMA process",
                          descriptor->fd, (int)process_pid(descriptor->place.process));
    }
    int error;
    char text[PEER_ERROR_SIZE];
    if (!peer_is_there(&descriptor->place, &error)) {
        return SDK_REFUSE(peer_is_gone(error) ? DOCA_ERROR_INVALID_VALUE : DOCA_ERROR_DRIVER,
                          "Failed to connect: the peer's process %d %s",
                          (int)process_pid(descriptor->place.process), peer_describe_error(error, text));
    }
    return DOCA_SUCCESS;
}

static doca_error_t
map_node(const struct node_descriptor *descriptor, struct node *node) {
    const struct shared_block_place place = {.pid = process_pid(descriptor->place.process),
                                             .user = descriptor->user,
                                             .fd = descriptor->fd,
                                             .size = sizeof(struct node_block)};
    void *memory;
    doca_error_t result = shared_block_open(&use, &place, &memory);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    node->descriptor = *descriptor;
    node->block = memory;
    result = check_block(descriptor, node->block);
    if (result != DOCA_SUCCESS) {
        shared_block_close(memory, sizeof(*node->block));
    }
    return result;
}

/* Called under the lock. */
static struct node *
find_node(const struct node_descriptor *descriptor) {
    if (nodes.own != NULL &&
        memcmp(&nodes.own->descriptor.place, &descriptor->place, sizeof(descriptor->place)) == 0) {
        return nodes.own;
    }
    struct node *found = nodes.others;
    while (found != NULL && memcmp(&found->descriptor, descriptor, sizeof(*descriptor)) != 0) {
        found = found->next;
    }
    return found;
}

/* Called under the lock. */
static doca_error_t
add_node(const struct node_descriptor *descriptor, struct node **node) {
    struct node *added = calloc(1, sizeof(*added));
    if (added == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    const doca_error_t result = map_node(descriptor, added);
    if (result != DOCA_SUCCESS) {
        free(added);
        return result;
    }
    added->next = nodes.others;
    nodes.others = added;
    *node = added;
    return DOCA_SUCCESS;
}

doca_error_t
rdma_node_open(const struct node_descriptor *descriptor, struct node **node) {
    doca_error_t result = DOCA_SUCCESS;
    emulator_lock(&nodes.lock);
    struct node *found = find_node(descriptor);
    if (found == NULL) {
        result = add_node(descriptor, &found);
    }
    if (result == DOCA_SUCCESS) {
        found->num_users++;
        *node = found;
    }
    emulator_unlock(&nodes.lock);
    return result;
}

const struct node_descriptor *
rdma_node_get_descriptor(const struct node *node) {
    return &node->descriptor;
}

/*
 * Locks
 */

doca_error_t
rdma_node_lock(struct node *node, uint64_t addr) {
    const int error = shared_lock_take(&node->block->locks[addr / sizeof(uint64_t) % NUM_LOCKS].lock);
    /* If the previous holder has died, it has either written or not, and the data are consistent. */
    return error == 0 || error == EOWNERDEAD
                   ? DOCA_SUCCESS
                   : SDK_REFUSE(DOCA_ERROR_IO_FAILED, "The lock of %#llx of process %d cannot be had: %s",
                                (unsigned long long)addr, (int)process_pid(node->descriptor.place.process),
                                shared_lock_describe_error(error));
}

void
rdma_node_unlock(struct node *node, uint64_t addr) {
    shared_lock_give(&node->block->locks[addr / sizeof(uint64_t) % NUM_LOCKS].lock);
}

/* Wake-ups */

static long
futex(_Atomic uint32_t *word, int operation, uint32_t value) {
    return syscall(SYS_futex, word, operation, value, NULL, NULL, 0);
}

void
rdma_node_ring(struct node *node) {
    atomic_fetch_add(&node->block->wakeups, 1);
    futex(&node->block->wakeups, FUTEX_WAKE, INT_MAX);
}

void
rdma_node_add_listener(struct node_listener *listener) {
    emulator_lock(&nodes.lock);
    listener->generation = process_generation();
    TAILQ_INSERT_TAIL(&nodes.listeners, listener, link);
    emulator_unlock(&nodes.lock);
}

void
rdma_node_remove_listener(struct node_listener *listener) {
    emulator_lock(&nodes.lock);
    if (listener->generation == process_generation()) {
        TAILQ_REMOVE(&nodes.listeners, listener, link);
    }
    emulator_unlock(&nodes.lock);
}

static void
signal_listeners(void) {
    struct node_listener *listener;
    emulator_lock(&nodes.lock);
    TAILQ_FOREACH(listener, &nodes.listeners, link) {
        pe_signal(listener->queue);
    }
    emulator_unlock(&nodes.lock);
}

static void *
wait_for_wakeups(void *argument) {
    struct node *own = argument;
    _Atomic uint32_t *wakeups = &own->block->wakeups;
    uint32_t num_seen = own->num_seen;
    while (!atomic_load(&own->end)) {
        futex(wakeups, FUTEX_WAIT, num_seen);
        num_seen = atomic_load(wakeups);
        signal_listeners();
    }
    return NULL;
}

static void
end(void *argument) {
    struct node *own = argument;
    atomic_store(&own->end, true);
    rdma_node_ring(own);
}

/* The count of wake-ups is read before any peer can find the node and wake it. */
bool
rdma_node_listen(void) {
    static const struct service_thread_ops ops = {.name = "doca-rdma-wake", .run = wait_for_wakeups, .end = end};
    emulator_lock(&nodes.lock);
    struct node *own = nodes.own;
    bool is_listening = true;
    if (own != NULL && !service_thread_is_running(&own->ear)) {
        own->num_seen = atomic_load(&own->block->wakeups);
        is_listening = service_thread_start(&own->ear, &ops, own) == DOCA_SUCCESS;
    }
    emulator_unlock(&nodes.lock);
    return is_listening;
}

/*
 * The end
 */

/* Frees a node that is no longer listed. Not called under the lock, because the thread takes the lock. */
static void
destroy_own(struct node *own) {
    service_thread_stop(&own->ear);
    shared_block_destroy(own->descriptor.fd, own->block, sizeof(*own->block));
    beacon_destroy(&own->descriptor.place);
    free(own);
}

/* Called under the lock. A parent's node is not in the list. */
static void
destroy_other(struct node *other) {
    struct node **link = &nodes.others;
    while (*link != NULL && *link != other) {
        link = &(*link)->next;
    }
    if (*link != NULL) {
        *link = other->next;
    }
    shared_block_close(other->block, sizeof(*other->block));
    free(other);
}

void
rdma_node_release(struct node *node) {
    struct node *ended = NULL;
    emulator_lock(&nodes.lock);
    node->num_users--;
    if (node->num_users == 0 && node == nodes.own) {
        ended = node;
        nodes.own = NULL;
    } else if (node->num_users == 0 && !node->own) {
        destroy_other(node);
    }
    emulator_unlock(&nodes.lock);
    if (ended != NULL) {
        destroy_own(ended);
    }
}
