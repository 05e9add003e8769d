/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include <time.h>

#include "common/clock.h"
#include "common/device.h"
#include "common/sdk_log.h"
#include "common/settings.h"
#include "rdma/connection.h"
#include "rdma/rdma.h"

/* How long the end of connections waits for peers. An operation takes less, unless its process is suspended during it. */
#define CLOSE_TIMEOUT_MS 500
#define CLOSE_INTERVAL_NS 20000

struct object_class rdma_connection_class = OBJECT_CLASS("RDMA connection", struct doca_rdma_connection);

/*
 * Life
 */

/* Serials are consecutive, so with as many buckets as connections each bucket has few. */
static struct connection_bucket *
bucket_of(const struct doca_rdma *rdma, uint32_t serial) {
    return &rdma->by_serial[serial % rdma->link.header.num_slots];
}

doca_error_t
rdma_connection_create(struct doca_rdma *rdma, struct doca_rdma_connection **connection) {
    if (rdma_is_inherited(rdma)) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "RDMA %p: Failed to create a connection: was started by the parent",
                          rdma);
    }
    if (!rdma_is_started(rdma)) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "RDMA %p: Failed to create a connection: is %s and not running", rdma,
                          ctx_state_name(&rdma->ctx));
    }
    const int64_t slot = rdma_link_take_slot(&rdma->link, rdma->next_connection_serial);
    if (slot < 0) {
        return SDK_REFUSE(DOCA_ERROR_FULL, "RDMA %p: Failed to create a connection: has %u, which is its limit", rdma,
                          rdma->properties.max_num_connections);
    }
    struct doca_rdma_connection *created = object_create(&rdma_connection_class);
    if (created == NULL) {
        rdma_link_free_slot(&rdma->link, (uint32_t)slot);
        return DOCA_ERROR_NO_MEMORY;
    }
    created->rdma = rdma;
    created->state = CONNECTION_OPEN;
    created->serial = rdma->next_connection_serial++;
    created->slot = (uint32_t)slot;
    created->flush_error = DOCA_SUCCESS;
    TAILQ_INIT(&created->queue);
    rdma_link_describe(&rdma->link, created->slot, &created->descriptor);
    rdma->in_slots[slot] = created;
    TAILQ_INSERT_TAIL(&rdma->connections, created, link);
    LIST_INSERT_HEAD(bucket_of(rdma, created->serial), created, same_bucket);
    *connection = created;
    return DOCA_SUCCESS;
}

struct doca_rdma_connection *
rdma_connection_create_spare(struct doca_rdma *rdma) {
    struct doca_rdma_connection *created = object_create(&rdma_connection_class);
    if (created != NULL) {
        created->rdma = rdma;
        created->state = CONNECTION_CLOSED;
        created->by_address = true;
        TAILQ_INIT(&created->queue);
    }
    return created;
}

/* Returns whether a peer accesses the memory. */
static bool
is_accessed(const struct doca_rdma_connection *connection) {
    const struct link_slot *slot = &connection->rdma->link.block->slots[connection->slot];
    return connection->remote != NULL && link_slot_has_users(slot, connection->descriptor.end.secret) &&
           !peer_has_ended(&connection->remote->header.node.place);
}

/* Frees the slot of a connection that is draining, unless the peer still accesses the memory. */
static bool
drain(struct doca_rdma_connection *connection) {
    struct doca_rdma *rdma = connection->rdma;
    if (is_accessed(connection)) {
        return false;
    }
    rdma_receive_queue_forget_taker(&rdma->receives, connection);
    rdma->in_slots[connection->slot] = NULL;
    rdma_link_free_slot(&rdma->link, connection->slot);
    connection->is_draining = false;
    rdma->num_draining--;
    return true;
}

/* Tells the peer that the connection has ended. */
static void
begin_close(struct doca_rdma_connection *connection) {
    connection->state = CONNECTION_CLOSED;
    connection->is_draining = true;
    connection->rdma->num_draining++;
    rdma_link_close_slot(&connection->rdma->link, connection->slot);
}

static void
end_close(struct doca_rdma_connection *connection, doca_error_t error, uint64_t deadline) {
    while (!drain(connection)) {
        if (clock_now() > deadline) {
            SDK_LOG_WARN("RDMA %p: Process %d still accesses memory of connection %u, which has ended", connection->rdma,
                         (int)process_pid(connection->remote->header.node.place.process), connection->slot);
            /* Otherwise progress does not visit a context without tasks. */
            pe_visit(connection->rdma->ctx.pe, &connection->rdma->ctx);
            break;
        }
        nanosleep(&(struct timespec){.tv_nsec = CLOSE_INTERVAL_NS}, NULL);
    }
    rdma_flush_connection(connection->rdma, connection, error);
}

static uint64_t
close_deadline(void) {
    return clock_now() + CLOSE_TIMEOUT_MS * NS_PER_MS;
}

void
rdma_connection_close(struct doca_rdma_connection *connection, doca_error_t error) {
    if (connection->state != CONNECTION_CLOSED) {
        begin_close(connection);
        end_close(connection, error, close_deadline());
    }
}

/* All connections end before the wait for the first peer, and share the time to wait. */
void
rdma_connections_close(struct doca_rdma *rdma, doca_error_t error) {
    struct doca_rdma_connection *connection;
    TAILQ_FOREACH(connection, &rdma->connections, link) {
        if (connection->state != CONNECTION_CLOSED) {
            begin_close(connection);
        }
    }
    const uint64_t deadline = close_deadline();
    TAILQ_FOREACH(connection, &rdma->connections, link) {
        if (connection->is_draining) {
            end_close(connection, error, deadline);
        }
    }
}

void
rdma_connections_drain(struct doca_rdma *rdma) {
    struct doca_rdma_connection *connection;
    const uint64_t now = clock_now();
    if (now - rdma->peers_looked_at < CTX_DRAIN_INTERVAL_NS) {
        return;
    }
    rdma->peers_looked_at = now;
    TAILQ_FOREACH(connection, &rdma->connections, link) {
        if (connection->is_draining) {
            (void)drain(connection);
        }
    }
}

void
rdma_connections_abandon(struct doca_rdma *rdma) {
    struct doca_rdma_connection *connection;
    TAILQ_FOREACH(connection, &rdma->connections, link) {
        TAILQ_INIT(&connection->queue);
        connection->executing = false;
        connection->state = CONNECTION_CLOSED;
        connection->is_draining = false;
    }
    rdma->num_draining = 0;
}

void
rdma_connection_destroy(struct doca_rdma_connection *connection) {
    struct doca_rdma *rdma = connection->rdma;
    if (connection->state != CONNECTION_CLOSED || rdma_connection_is_in_use(connection)) {
        SDK_LOG_ERR("RDMA %p: connection %u is still in use", rdma, connection->slot);
        return;
    }
    if (connection->remote != NULL) {
        rdma_remote_link_close(&rdma->remote_links, connection->remote);
    }
    TAILQ_REMOVE(&rdma->connections, connection, link);
    LIST_REMOVE(connection, same_bucket);
    object_destroy(&rdma_connection_class, connection);
}

bool
rdma_connection_is_in_use(const struct doca_rdma_connection *connection) {
    return connection->is_draining || connection->num_tasks > 0 || connection->num_received > 0 ||
           rdma_receive_queue_has_message(&connection->rdma->receives, connection->serial);
}

struct doca_rdma_connection *
rdma_connection_find(struct doca_rdma *rdma, uint32_t serial) {
    struct doca_rdma_connection *connection;
    LIST_FOREACH(connection, bucket_of(rdma, serial), same_bucket) {
        if (connection->serial == serial) {
            return connection;
        }
    }
    return NULL;
}

struct doca_rdma_connection *
rdma_connection_in_slot(struct doca_rdma *rdma, uint32_t slot) {
    return slot < rdma->properties.max_num_connections ? rdma->in_slots[slot] : NULL;
}

/*
 * The peer
 */

static struct link_slot *
slot_of_peer(const struct doca_rdma_connection *connection) {
    return &connection->remote->block->slots[connection->remote_slot];
}

static const char *
gid_type_name(uint32_t type) {
    switch (type) {
    case GID_TYPE_INFINIBAND:
        return "InfiniBand";
    case GID_TYPE_ROCE_V1:
        return "RoCE v1";
    case GID_TYPE_ROCE_V2:
        return "RoCE v2";
    default:
        return "no protocol, as that entry of its table is empty";
    }
}

static enum peer_state
look_at_peer(const struct doca_rdma_connection *connection) {
    const struct link_slot *slot = slot_of_peer(connection);
    const uint32_t state = atomic_load(&slot->state);
    if (atomic_load(&connection->remote->block->is_live) == 0) {
        return PEER_GONE;
    }
    if (memcmp(slot->secret, connection->remote_end.secret, sizeof(slot->secret)) != 0) {
        return PEER_CLOSED;
    }
    switch (state) {
    case LINK_SLOT_OPEN:
        return PEER_NOT_CONNECTED;
    case LINK_SLOT_CONNECTED:
        return link_end_equals(&slot->peer, &connection->descriptor.end) ? PEER_READY : PEER_GONE;
    default:
        return PEER_CLOSED;
    }
}

bool
rdma_connection_is_established(const struct doca_rdma_connection *connection) {
    return connection->state == CONNECTION_CONNECTED && look_at_peer(connection) == PEER_READY;
}

/*
 * An initiator first adds itself to `users` and then reads the state. The owner first closes the slot and then reads
 * `users`. So one of them sees the other. If the slot was reused before the initiator adds itself, it has another secret.
 */
enum peer_state
rdma_connection_enter(struct doca_rdma_connection *connection) {
    enum peer_state state = look_at_peer(connection);
    if (state == PEER_READY) {
        if (!link_slot_add_users(slot_of_peer(connection), connection->remote_end.secret, 1)) {
            return PEER_CLOSED;
        }
        state = look_at_peer(connection);
        if (state != PEER_READY) {
            rdma_connection_leave(connection);
        }
    }
    return state;
}

void
rdma_connection_leave(struct doca_rdma_connection *connection) {
    (void)link_slot_add_users(slot_of_peer(connection), connection->remote_end.secret, -1);
}

static doca_error_t
check_peer(const struct doca_rdma_connection *connection) {
    switch (look_at_peer(connection)) {
    case PEER_READY:
    case PEER_NOT_CONNECTED:
        return DOCA_SUCCESS;
    case PEER_CLOSED:
    case PEER_GONE:
        break;
    }
    return SDK_REFUSE(DOCA_ERROR_CONNECTION_ABORTED,
                      "Failed to connect: the peer's connection has ended, or is connected to another one");
}

/* An empty entry counts as one of RoCE v1. */
static uint32_t
protocol_of(uint32_t gid_type) {
    return gid_type == GID_TYPE_EMPTY ? GID_TYPE_ROCE_V1 : gid_type;
}

/*
 * Checks that both sides can exchange packets, as the real library does. For a connection by address, both sides choose the
 * GIDs of that address. Release 3.0 does not connect to a peer whose entry is empty.
 */
static doca_error_t
check_route(const struct doca_rdma_connection *connection) {
    const struct link_header *own = &connection->rdma->link.header;
    const struct link_header *other = &connection->remote->header;
    const uint32_t own_type = protocol_of(own->gid_type);
    const uint32_t other_type =
            emulator_release_is_at_most(EMULATOR_RELEASE_2_5) ? protocol_of(other->gid_type) : other->gid_type;
    if (connection->by_address) {
        return DOCA_SUCCESS;
    }
    if (own_type != other_type) {
        return SDK_REFUSE(DOCA_ERROR_CONNECTION_ABORTED,
                          "RDMA %p: Failed to connect: the GID index %u of this context is of %s, that of the peer of %s",
                          connection->rdma, connection->rdma->properties.gid_index, gid_type_name(own_type),
                          gid_type_name(other_type));
    }
    if (own->mtu != LINK_ANY_MTU && other->mtu != LINK_ANY_MTU && own->mtu != other->mtu) {
        return SDK_REFUSE(DOCA_ERROR_CONNECTION_ABORTED,
                          "RDMA %p: Failed to connect: this context has set an MTU of %u, and the peer %u",
                          connection->rdma, 256U << own->mtu, 256U << other->mtu);
    }
    return DOCA_SUCCESS;
}

/* A context without an MTU of its own uses that of the last peer that has one. */
static void
adopt_mtu(struct doca_rdma_connection *connection) {
    struct rdma_properties *properties = &connection->rdma->properties;
    const uint32_t mtu = connection->remote->header.mtu;
    if (!connection->by_address && !properties->has_own_mtu && mtu != LINK_ANY_MTU) {
        properties->mtu = (enum doca_mtu_size)mtu;
    }
}

/* Finds the peer's slot. An error leaves the connection unchanged. */
static doca_error_t
find_peer(struct doca_rdma_connection *connection, const struct link_descriptor *descriptor) {
    struct doca_rdma *rdma = connection->rdma;
    doca_error_t result = rdma_remote_link_open(&rdma->remote_links, descriptor, &connection->remote);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    connection->remote_slot = descriptor->slot;
    connection->remote_end = descriptor->end;
    if (descriptor->slot >= connection->remote->header.num_slots) {
        result = SDK_REFUSE(DOCA_ERROR_CONNECTION_ABORTED, "Failed to connect: the peer has no connection %u",
                            descriptor->slot);
    } else {
        result = check_peer(connection);
    }
    result = result == DOCA_SUCCESS ? check_route(connection) : result;
    if (result != DOCA_SUCCESS) {
        rdma_remote_link_close(&rdma->remote_links, connection->remote);
        connection->remote = NULL;
    }
    return result;
}

doca_error_t
rdma_connection_attach(struct doca_rdma_connection *connection, const void *bytes, size_t size) {
    struct link_descriptor descriptor;
    if (rdma_is_inherited(connection->rdma)) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "RDMA %p: Failed to connect: was started by the parent",
                          connection->rdma);
    }
    if (connection->state != CONNECTION_OPEN) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "RDMA %p: Failed to connect: connection %u %s", connection->rdma,
                          connection->slot,
                          connection->state == CONNECTION_CONNECTED ? "is connected already" : "has ended");
    }
    doca_error_t result = rdma_link_read_descriptor(bytes, size, &descriptor);
    if (result == DOCA_SUCCESS) {
        result = find_peer(connection, &descriptor);
    }
    if (result == DOCA_SUCCESS) {
        adopt_mtu(connection);
        connection->state = CONNECTION_CONNECTED;
        rdma_link_connect_slot(&connection->rdma->link, connection->slot, &connection->remote_end);
    }
    return result;
}

/*
 * Connections by descriptors
 */

doca_error_t
doca_rdma_export(struct doca_rdma *rdma, const void **local_rdma_conn_details, size_t *local_rdma_conn_details_size,
                 struct doca_rdma_connection **rdma_connection) {
    if (!IS_LIVE(rdma_class, rdma)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (local_rdma_conn_details == NULL || local_rdma_conn_details_size == NULL || rdma_connection == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "RDMA %p: Invalid input: no place for the connection", rdma);
    }
    struct doca_rdma_connection *connection;
    const doca_error_t result = rdma_connection_create(rdma, &connection);
    if (result == DOCA_SUCCESS) {
        *local_rdma_conn_details = &connection->descriptor;
        *local_rdma_conn_details_size = sizeof(connection->descriptor);
        *rdma_connection = connection;
    }
    return result;
}

doca_error_t
doca_rdma_connect(struct doca_rdma *rdma, const void *remote_rdma_conn_details, size_t remote_rdma_conn_details_size,
                  struct doca_rdma_connection *rdma_connection) {
    if (!IS_LIVE(rdma_class, rdma) || !IS_LIVE(rdma_connection_class, rdma_connection)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (remote_rdma_conn_details == NULL || remote_rdma_conn_details_size == 0 || rdma_connection->rdma != rdma) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE,
                          "RDMA %p: Invalid input: connection details %p of %zu bytes, connection of RDMA %p", rdma,
                          remote_rdma_conn_details, remote_rdma_conn_details_size, rdma_connection->rdma);
    }
    if (!rdma_is_started(rdma)) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "RDMA %p: Failed to connect: is %s and not running", rdma,
                          ctx_state_name(&rdma->ctx));
    }
    const doca_error_t result =
            rdma_connection_attach(rdma_connection, remote_rdma_conn_details, remote_rdma_conn_details_size);
    if (rdma->ctx.state == DOCA_CTX_STATE_STARTING) {
        ctx_signal_work(&rdma->ctx);
    }
    return result;
}
