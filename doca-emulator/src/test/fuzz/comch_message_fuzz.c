/* SPDX-License-Identifier: Apache-2.0 */
/* Messages to the server of a comm channel, instead of the greeting or after it. */
#include "fuzz.h"

#include <sys/socket.h>
#include <sys/un.h>

#include "../../main/c/comch/message.h"
#include "../c/comch_fixture.h"

#define FUNCTION "0b:00.0"

static struct side side;
static struct sockaddr_un path = {.sun_family = AF_UNIX};
static struct greeting greeting;

static void
ignore_connection(struct doca_comch_event_connection_status_changed *event, struct doca_comch_connection *connection,
                  uint8_t successful) {
    (void)event;
    (void)connection;
    (void)successful;
}

/* Reads each byte, for the sanitizer. */
static void
read_message(struct doca_comch_event_msg_recv *event, uint8_t *bytes, uint32_t len,
             struct doca_comch_connection *connection) {
    static volatile uint8_t last;
    (void)event;
    (void)connection;
    for (uint32_t i = 0; i < len; i++) {
        last = bytes[i];
    }
    (void)last;
}

static void
progress_all(void) {
    while (doca_pe_progress(side.pe) != 0) {
    }
}

/* The first byte selects whether the greeting is sent first. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    CHECK_EQUAL(0, connect(fd, (const struct sockaddr *)&path, sizeof(path)));
    progress_all();
    if ((data[0] & 1) != 0) {
        CHECK_EQUAL(sizeof(greeting), send(fd, &greeting, sizeof(greeting), MSG_NOSIGNAL));
        progress_all();
    }
    (void)!send(fd, data + 1, size - 1, MSG_NOSIGNAL);
    progress_all();
    close(fd);
    progress_all();
    return 0;
}

/* Finds the socket of the only server. */
static void
find_server(void) {
    DIR *folder = opendir(runtime_dir);
    struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        if (strncmp(entry->d_name, "doca-emulator-comch-", strlen("doca-emulator-comch-")) == 0) {
            snprintf(path.sun_path, sizeof(path.sun_path), "%s/%.60s", runtime_dir, entry->d_name);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
}

static size_t
fuzz_begin(uint8_t *data) {
    use_own_runtime_dir();
    create_server(&side, FUNCTION);
    REQUIRE_SUCCESS(doca_comch_server_event_msg_recv_register(side.server, read_message));
    REQUIRE_SUCCESS(doca_comch_server_event_connection_status_changed_register(side.server, ignore_connection,
                                                                               ignore_connection));
    REQUIRE_SUCCESS(doca_ctx_start(side.ctx));
    find_server();
    greeting = (struct greeting){.header = {.magic = MESSAGE_MAGIC, .kind = MESSAGE_GREETING},
                                 .max_msg_size = DEFAULT_MAX_MSG_SIZE,
                                 .recv_queue_size = 4,
                                 .name = SERVER_NAME};
    REQUIRE_SUCCESS(doca_devinfo_rep_get_vuid(doca_dev_rep_as_devinfo(side.rep), greeting.vuid, sizeof(greeting.vuid)));
    memcpy(data + 1, &greeting, sizeof(greeting));
    return 1 + sizeof(greeting);
}

/* After the greeting most messages are data or acknowledgements with valid first fields. */
static void
fuzz_seal(uint8_t *data, size_t size) {
    const struct message_header header = {
            .magic = MESSAGE_MAGIC,
            .kind = (data[0] & 2) != 0 ? MESSAGE_DATA : MESSAGE_ACKNOWLEDGEMENT,
            .num_received = (data[0] >> 2) % 3,
    };
    if ((data[0] & 1) != 0 && size > sizeof(header)) {
        memcpy(data + 1, &header, sizeof(header));
    }
}

int
main(void) {
    const int result = fuzz();
    end_side(&side);
    CHECK_EQUAL(0, rmdir(runtime_dir));
    return result == EXIT_SUCCESS ? check_result() : result;
}
