/* SPDX-License-Identifier: Apache-2.0 */
/* Servers and clients without a peer: capabilities and errors. */
#include <pthread.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "comch_fixture.h"
#include "descriptors.h"

#define FUNCTION "0000:0b:00.0"
#define OTHER_FUNCTION "0000:0b:00.1"
#define LONGEST_NAME 119

static struct side side;

static struct doca_devinfo *
info_of_side(void) {
    return doca_dev_as_devinfo(side.dev);
}

static void
check_limit(doca_error_t (*get)(const struct doca_devinfo *, uint32_t *), uint32_t expected) {
    uint32_t limit = 0;
    CHECK_SUCCESS(get(info_of_side(), &limit));
    CHECK_EQUAL(expected, limit);
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "there is no place for the capability", get(info_of_side(), NULL));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "devinfo is NULL", get(NULL, &limit));
}

static void
check_limits(void) {
    check_limit(doca_comch_cap_get_max_name_len, LONGEST_NAME + 1);
    check_limit(doca_comch_cap_get_max_msg_size, MAX_BYTES);
    check_limit(doca_comch_cap_get_max_recv_queue_size, 8192);
    check_limit(doca_comch_cap_get_max_send_tasks, 8192);
    check_limit(doca_comch_cap_get_max_clients, 512);
}

static void
hear_nothing(
        struct doca_comch_event_consumer *event, struct doca_comch_connection *connection, uint32_t consumer_id) {
    (void)event;
    (void)connection;
    (void)consumer_id;
}

/*
 * On the DPU
 */

static void
devices_of_the_dpu_have_servers(void) {
    create_server(&side, FUNCTION);
    CHECK_SUCCESS(doca_comch_cap_server_is_supported(info_of_side()));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_comch_cap_client_is_supported(info_of_side()));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_comch_cap_server_is_supported(NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_comch_cap_client_is_supported(NULL));
    check_limits();
    end_side(&side);

    /* A sub-function has no representors. */
    uint32_t limit;
    struct doca_dev *sub_function = open_device("mlx5_2");
    struct doca_devinfo *info = doca_dev_as_devinfo(sub_function);
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_comch_cap_server_is_supported(info));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_comch_cap_get_max_msg_size(info, &limit));
    create_server(&side, FUNCTION);
    struct doca_comch_server *server;
    CHECK_REFUSED(DOCA_ERROR_NOT_SUPPORTED, "the device cannot have servers",
                  doca_comch_server_create(sub_function, side.rep, "name", &server));
    end_side(&side);
    CHECK_SUCCESS(doca_dev_close(sub_function));
}

static void
a_server_is_created_of_what_belongs_together(void) {
    struct doca_comch_server *server;
    struct doca_dev *dev = open_device("mlx5_0");
    struct doca_dev *other_dev = open_device("mlx5_1");
    struct doca_dev_rep *rep = open_representor(dev, FUNCTION);
    struct doca_dev_rep *other_rep = open_representor(other_dev, OTHER_FUNCTION);
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "is none of device",
                  doca_comch_server_create(dev, other_rep, "name", &server));
    REQUIRE_SUCCESS(doca_comch_server_create(dev, rep, "name", &server));
    CHECK_ERROR(DOCA_ERROR_IN_USE, doca_dev_close(dev));
    CHECK_SUCCESS(doca_comch_server_destroy(server));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "was destroyed before", doca_comch_server_destroy(server));
    CHECK_POINTER(NULL, doca_comch_server_as_ctx(server));
    CHECK_SUCCESS(doca_dev_rep_close(rep));
    CHECK_SUCCESS(doca_dev_rep_close(other_rep));
    CHECK_SUCCESS(doca_dev_close(dev));
    CHECK_SUCCESS(doca_dev_close(other_dev));
}

static void
the_properties_of_a_server_are_limited(void) {
    create_server(&side, FUNCTION);
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "Failed to set the receive queue size: 8193, must be 1 to 8192",
                  doca_comch_server_set_recv_queue_size(side.server, 8193));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "8193 send tasks, must be 1 to 8192",
                  doca_comch_server_task_send_set_conf(side.server, record_sent, record_failed, 8193));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED,
                doca_comch_server_event_consumer_register(side.server, hear_nothing, hear_nothing));
    end_side(&side);
}

static void
others_must_not_see_the_folder(void) {
    create_server(&side, FUNCTION);
    CHECK_EQUAL(0, chmod(runtime_dir, 0755));
    CHECK_REFUSED(DOCA_ERROR_NOT_PERMITTED, "must be of user", doca_ctx_start(side.ctx));
    CHECK_EQUAL(0, chmod(runtime_dir, 0700));
    CHECK_SUCCESS(doca_ctx_start(side.ctx));
    end_side(&side);
}

/* Returns how many descriptors of this process refer to the folder of sockets. */
static size_t
count_open_folders(void) {
    size_t count = 0;
    DIR *files = opendir("/proc/self/fd");
    const struct dirent *entry;
    while ((entry = readdir(files)) != NULL) {
        char path[sizeof(runtime_dir)] = "";
        if (readlinkat(dirfd(files), entry->d_name, path, sizeof(path)) == sizeof(path) - 1) {
            count += memcmp(path, runtime_dir, sizeof(path) - 1) == 0;
        }
    }
    closedir(files);
    return count;
}

static void *
start_in_thread(void *server) {
    CHECK_SUCCESS(doca_ctx_start(((struct side *)server)->ctx));
    return NULL;
}

/*
 * The start of a server opens the folder of sockets and waits for its lock, which this test holds. A child that is forked
 * then has the descriptor as long as it runs.
 */
static void
a_child_does_not_keep_the_folder_locked(void) {
    static struct side other;
    pthread_t thread;
    int end_of_child[2];
    int status = -1;
    create_server(&side, FUNCTION);
    create_server(&other, "0000:0b:00.2");
    const int folder = open(runtime_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    CHECK_EQUAL(0, flock(folder, LOCK_EX));
    CHECK_EQUAL(0, pipe2(end_of_child, O_CLOEXEC));
    CHECK_EQUAL(0, pthread_create(&thread, NULL, start_in_thread, &side));
    while (count_open_folders() < 2) {
        sched_yield();
    }
    const pid_t child = fork();
    if (child == 0) {
        char unused;
        close(end_of_child[1]);
        close(folder);
        (void)!read(end_of_child[0], &unused, 1);
        _exit(EXIT_SUCCESS);
    }
    CHECK_EQUAL(0, flock(folder, LOCK_UN));
    close(folder);
    pthread_join(thread, NULL);
    CHECK_SUCCESS(doca_ctx_start(other.ctx));
    end_side(&side);
    end_side(&other);
    close(end_of_child[0]);
    close(end_of_child[1]);
    CHECK_EQUAL(child, waitpid(child, &status, 0));
    CHECK_EQUAL(0, status);
}

/*
 * On the host
 */

static void
check_properties_of_client(void) {
    uint32_t size = 0;
    struct doca_dev *dev;
    struct doca_comch_connection *connection;
    CHECK_SUCCESS(doca_comch_client_set_max_msg_size(side.client, 1024));
    CHECK_SUCCESS(doca_comch_client_get_max_msg_size(side.client, &size));
    CHECK_EQUAL(1024, size);
    CHECK_SUCCESS(doca_comch_client_set_recv_queue_size(side.client, 8));
    CHECK_SUCCESS(doca_comch_client_get_recv_queue_size(side.client, &size));
    CHECK_EQUAL(8, size);
    CHECK_SUCCESS(doca_comch_client_get_device(side.client, &dev));
    CHECK_POINTER(side.dev, dev);
    CHECK_REFUSED(DOCA_ERROR_BAD_STATE, "Failed to get the connection: is idle and not running",
                  doca_comch_client_get_connection(side.client, &connection));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "connection is NULL", doca_comch_client_get_connection(side.client, NULL));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED,
                doca_comch_client_event_consumer_register(side.client, hear_nothing, hear_nothing));
}

/* As a daemon closes all descriptors that it does not know. The thread for the sockets notices it, and can be ended. */
static void
a_server_stops_with_closed_descriptors(void) {
    create_server(&side, FUNCTION);
    REQUIRE_SUCCESS(doca_ctx_start(side.ctx));
    CHECK_EQUAL(0, close_range(STDERR_FILENO + 1, ~0U, 0));
    CHECK_SUCCESS(doca_ctx_stop(side.ctx));
}

/* Starts the client with some free descriptors. */
static doca_error_t
start_with_descriptors(int number) {
    const struct rlimit limit = limit_descriptors(number);
    const doca_error_t result = doca_ctx_start(side.ctx);
    restore_descriptors(&limit);
    return result;
}

/* The client does not claim that there is no server when it lacked the descriptors to look. */
static void
check_client_without_descriptors(void) {
    unsigned num_shortages = 0;
    for (int number = 0; strstr(last_error, "There is no server") == NULL; number++) {
        CHECK(number < 16);
        const doca_error_t result = start_with_descriptors(number);
        if (result == DOCA_ERROR_CONNECTION_ABORTED && strstr(last_error, "There is no server") == NULL) {
            check_logged("Failed to connect to server \"" SERVER_NAME
                         "\": this process has too many open files (ulimit -n)");
            num_shortages++;
        } else if (result != DOCA_ERROR_CONNECTION_ABORTED) {
            CHECK_REFUSED(DOCA_ERROR_OPERATING_SYSTEM, "Too many open files", result);
        }
        CHECK_EQUAL(DOCA_CTX_STATE_IDLE, state_of(&side));
    }
    CHECK(num_shortages > 0);
    check_logged("There is no server");
}

static void
check_host(void) {
    struct doca_comch_client *client;
    keep_errors();
    create_client(&side, "mlx5_0");
    CHECK_SUCCESS(doca_comch_cap_client_is_supported(info_of_side()));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_comch_cap_server_is_supported(info_of_side()));
    check_limits();
    check_properties_of_client();
    check_client_without_descriptors();
    client = side.client;
    end_side(&side);
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "was destroyed before", doca_comch_client_destroy(client));
}

int
main(void) {
    use_own_runtime_dir();
    check_with_environment("DOCA_EMULATOR_ROLE", "host", check_host);
    check_with_environment("DOCA_EMULATOR_ROLE", "dpu", a_server_stops_with_closed_descriptors);
    keep_errors();
    devices_of_the_dpu_have_servers();
    a_server_is_created_of_what_belongs_together();
    the_properties_of_a_server_are_limited();
    others_must_not_see_the_folder();
    a_child_does_not_keep_the_folder_locked();
    CHECK_EQUAL(0, rmdir(runtime_dir));
    return check_result();
}
