/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes that share a sync event: the test program is started again. Each has one event, its own or an imported one,
 * and executes requests on it.
 */
#ifndef DOCA_EMULATOR_SYNC_EVENT_PARTY_H_
#define DOCA_EMULATOR_SYNC_EVENT_PARTY_H_

#include <doca_sync_event.h>

#include "page.h"
#include "peer.h"

#define MAX_EVENT_DESCRIPTOR_SIZE 1024

enum party_action {
    /* Creates an event with publishers on the other side of the PCI bus, in its own memory. */
    PARTY_CREATE,
    /* The same in memory of the process. */
    PARTY_CREATE_AT_ADDRESS,
    PARTY_EXPORT,
    PARTY_IMPORT,
    PARTY_GET,
    PARTY_SET,
    /* Adds 1, count times. */
    PARTY_ADD,
    PARTY_WAIT_EQ,
    PARTY_WAIT_EQ_YIELD,
    /* Frees the memory of the process that contains the value. */
    PARTY_FREE_MEMORY,
    PARTY_STOP,
    PARTY_DESTROY,
};

struct event_descriptor {
    size_t size;
    uint8_t bytes[MAX_EVENT_DESCRIPTOR_SIZE];
};

struct party_request {
    enum party_action action;
    uint64_t value;
    struct event_descriptor descriptor;
};

struct party_reply {
    doca_error_t result;
    uint64_t value;
    struct event_descriptor descriptor;
};

struct party {
    struct doca_dev *dev;
    struct doca_sync_event *event;
    uint64_t *word;
};

static inline void
party_create(struct party *party, bool at_address) {
    party->dev = open_device("mlx5_0");
    REQUIRE_SUCCESS(doca_sync_event_create(&party->event));
    REQUIRE_SUCCESS(doca_sync_event_add_publisher_location_remote_pci(party->event));
    REQUIRE_SUCCESS(doca_sync_event_add_subscriber_location_cpu(party->event, party->dev));
    if (at_address) {
        party->word = map_page();
        REQUIRE_SUCCESS(doca_sync_event_set_addr(party->event, party->word));
    }
    REQUIRE_SUCCESS(doca_sync_event_start(party->event));
}

static inline doca_error_t
party_export(const struct party *party, struct event_descriptor *descriptor) {
    const uint8_t *bytes;
    const doca_error_t result =
            doca_sync_event_export_to_remote_pci(party->event, party->dev, &bytes, &descriptor->size);
    if (result == DOCA_SUCCESS) {
        memcpy(descriptor->bytes, bytes, descriptor->size);
    }
    return result;
}

static inline doca_error_t
party_import(struct party *party, const struct event_descriptor *descriptor) {
    if (party->dev == NULL) {
        party->dev = open_device("mlx5_0");
    }
    const doca_error_t result = doca_sync_event_create_from_export(party->dev, descriptor->bytes, descriptor->size,
                                                                   &party->event);
    return result == DOCA_SUCCESS ? doca_sync_event_start(party->event) : result;
}

static inline doca_error_t
party_add(struct party *party, uint64_t count) {
    doca_error_t result = DOCA_SUCCESS;
    uint64_t fetched;
    for (uint64_t i = 0; i < count && result == DOCA_SUCCESS; i++) {
        result = doca_sync_event_update_add(party->event, 1, &fetched);
    }
    return result;
}

static inline void
party_free_memory(struct party *party) {
    if (party->word != NULL) {
        unmap_page(party->word);
        party->word = NULL;
    }
}

static inline doca_error_t
party_destroy(struct party *party) {
    const doca_error_t result = doca_sync_event_destroy(party->event);
    if (result == DOCA_SUCCESS) {
        CHECK_SUCCESS(doca_dev_close(party->dev));
        party_free_memory(party);
        *party = (struct party){0};
    }
    return result;
}

static inline doca_error_t
party_do(struct party *party, const struct party_request *request, struct party_reply *reply) {
    switch (request->action) {
    case PARTY_CREATE:
    case PARTY_CREATE_AT_ADDRESS:
        party_create(party, request->action == PARTY_CREATE_AT_ADDRESS);
        return DOCA_SUCCESS;
    case PARTY_EXPORT:
        return party_export(party, &reply->descriptor);
    case PARTY_IMPORT:
        return party_import(party, &request->descriptor);
    case PARTY_GET:
        return doca_sync_event_get(party->event, &reply->value);
    case PARTY_SET:
        return doca_sync_event_update_set(party->event, request->value);
    case PARTY_ADD:
        return party_add(party, request->value);
    case PARTY_WAIT_EQ:
        return doca_sync_event_wait_eq(party->event, request->value, UINT64_MAX);
    case PARTY_WAIT_EQ_YIELD:
        return doca_sync_event_wait_eq_yield(party->event, request->value, UINT64_MAX);
    case PARTY_FREE_MEMORY:
        party_free_memory(party);
        return DOCA_SUCCESS;
    case PARTY_STOP:
        return doca_sync_event_stop(party->event);
    case PARTY_DESTROY:
        return party_destroy(party);
    }
    return DOCA_ERROR_UNKNOWN;
}

/* The main loop of the process; returns when the pipe is closed. */
static inline int
run_party(void) {
    struct party party = {0};
    struct party_request request;
    while (read_fully(STDIN_FILENO, &request, sizeof(request))) {
        struct party_reply reply = {0};
        reply.result = party_do(&party, &request, &reply);
        write_fully(STDOUT_FILENO, &reply, sizeof(reply));
    }
    return check_result();
}

static inline void
begin_to_ask(struct peer *peer, enum party_action action, uint64_t value) {
    const struct party_request request = {.action = action, .value = value};
    write_fully(peer->requests, &request, sizeof(request));
}

static inline struct party_reply
hear_reply(struct peer *peer) {
    struct party_reply reply;
    if (!read_fully(peer->replies, &reply, sizeof(reply))) {
        fprintf(stderr, "no answer from another process\n");
        exit(EXIT_FAILURE);
    }
    return reply;
}

static inline struct party_reply
ask(struct peer *peer, enum party_action action, uint64_t value) {
    begin_to_ask(peer, action, value);
    return hear_reply(peer);
}

static inline doca_error_t
ask_to_import(struct peer *peer, const struct event_descriptor *descriptor) {
    const struct party_request request = {.action = PARTY_IMPORT, .descriptor = *descriptor};
    write_fully(peer->requests, &request, sizeof(request));
    return hear_reply(peer).result;
}

/* Starts a process of the role, which exports an event. */
static inline struct peer
start_owner(const char *role, bool at_address, struct event_descriptor *descriptor) {
    struct peer owner = start_peer("party", role);
    REQUIRE_SUCCESS(ask(&owner, at_address ? PARTY_CREATE_AT_ADDRESS : PARTY_CREATE, 0).result);
    const struct party_reply exported = ask(&owner, PARTY_EXPORT, 0);
    REQUIRE_SUCCESS(exported.result);
    *descriptor = exported.descriptor;
    return owner;
}

static inline struct peer
start_importer(const char *role, const struct event_descriptor *descriptor) {
    struct peer importer = start_peer("party", role);
    REQUIRE_SUCCESS(ask_to_import(&importer, descriptor));
    return importer;
}

/* Ends the process, which destroys its event and must exit without a failed check. */
static inline void
end_party(struct peer *peer) {
    CHECK_SUCCESS(ask(peer, PARTY_DESTROY, 0).result);
    end_peer(peer);
}

#endif /* DOCA_EMULATOR_SYNC_EVENT_PARTY_H_ */
