/* SPDX-License-Identifier: Apache-2.0 */
/* The sockets of listeners: owners, remains, and missing descriptors. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "peer.h"
#include "rdma_cm_fixture.h"

#define MAX_NUM_WAKEUPS 1000
#define MAX_NUM_FILES 64

/* Declared as in programs. */
const char *doca_emulator_failed_call(void);

static struct side side;

static void
make_path(char path[256], const char *name) {
    snprintf(path, 256, "%s/%s", runtime_dir, name);
}

/* Creates a socket with that name; closes it to make it stale. */
static int
bind_socket(const char *name) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    snprintf(address.sun_path, sizeof(address.sun_path), "%s/%s", runtime_dir, name);
    CHECK_EQUAL(0, bind(fd, (const struct sockaddr *)&address, sizeof(address)));
    CHECK_EQUAL(0, listen(fd, 1));
    return fd;
}

static bool
exists(const char *name) {
    char path[256];
    make_path(path, name);
    return access(path, F_OK) == 0;
}

static void
begin(void) {
    keep_errors();
    start_side(&side, "mlx5_0");
}

static void
listen_here(void) {
    REQUIRE_SUCCESS(doca_rdma_start_listen_to_port(side.rdma, PORT));
}

/*
 * Names
 */

/* Sockets of killed processes are removed; sockets of living processes, of other programs, and other files stay. */
static void
stale_sockets_are_removed(void) {
    char file[256];
    close(bind_socket("doca-emulator-stale"));
    close(bind_socket("program-stale"));
    const int living = bind_socket("doca-emulator-living");
    make_path(file, "file");
    close(open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    begin();
    listen_here();
    CHECK(!exists("doca-emulator-stale"));
    CHECK(exists("program-stale"));
    CHECK(exists("doca-emulator-living"));
    CHECK(exists("file"));
    end_side(&side);
    CHECK_EQUAL(3, count_names());
    close(living);
    unlink(file);
    make_path(file, "doca-emulator-living");
    unlink(file);
    make_path(file, "program-stale");
    unlink(file);
}

/* The folder was cleaned up, and another process listens by the name. */
static void
the_socket_of_another_is_not_removed(void) {
    char name[256];
    char path[256];
    begin();
    listen_here();
    CHECK(find_socket("", name) > 0);
    make_path(path, name);
    CHECK_EQUAL(0, unlink(path));
    const int another = bind_socket(name);
    end_side(&side);
    CHECK(exists(name));
    CHECK_EQUAL(1, count_names());
    close(another);
    unlink(path);
}

/* The system refuses to connect to a named pipe with the error for a stale socket. */
static void
a_file_with_the_name_is_not_removed(void) {
    char name[256];
    char path[256];
    begin();
    listen_here();
    CHECK(find_socket("", name) > 0);
    end_side(&side);
    make_path(path, name);
    CHECK_EQUAL(0, mkfifo(path, 0600));
    begin();
    /* It listens by the name of its other address. */
    listen_here();
    CHECK(exists(name));
    end_side(&side);
    CHECK(exists(name));
    CHECK_EQUAL(1, count_names());
    unlink(path);
}

/* If no socket can be created in the folder, the error differs from the one for a port in use. */
static void
a_name_that_cannot_be_had_is_not_in_use(void) {
    begin();
    CHECK_REFUSED(DOCA_ERROR_OPERATING_SYSTEM, "Failed to listen as ", doca_rdma_start_listen_to_port(side.rdma, PORT));
    end_side(&side);
}

/*
 * Descriptors
 */

/* The other process: it connects, and writes its events. */
static void
write_event(struct side *side, const struct cm_event *event) {
    const char letter = "refd"[event->kind];
    accept_and_disconnect(side, event);
    (void)!write(STDOUT_FILENO, &letter, 1);
}

static int
run_client(void) {
    struct pollfd end = {.fd = STDIN_FILENO, .events = POLLIN};
    char byte;
    start_side(&side, "mlx5_1");
    side.reaction = write_event;
    (void)!read(STDIN_FILENO, &byte, 1);
    struct doca_rdma_addr *addr = create_addr(DOCA_RDMA_ADDR_TYPE_IPv4, LOOPBACK, PORT);
    ask(&side, addr, 0);
    while (poll(&end, 1, 0) == 0) {
        progress_or_rest(side.pe);
    }
    end_side(&side);
    CHECK_SUCCESS(doca_rdma_addr_destroy(addr));
    return check_result();
}

/* Descriptors that leave the process no other one. */
struct shortage {
    struct rlimit limit;
    int files[MAX_NUM_FILES];
    size_t num_files;
};

static void
limit_files(const struct shortage *shortage, rlim_t number) {
    struct rlimit low = shortage->limit;
    low.rlim_cur = number;
    CHECK_EQUAL(0, setrlimit(RLIMIT_NOFILE, &low));
}

static void
begin_shortage(struct shortage *shortage) {
    int fd;
    CHECK_EQUAL(0, getrlimit(RLIMIT_NOFILE, &shortage->limit));
    limit_files(shortage, MAX_NUM_FILES);
    shortage->num_files = 0;
    while ((fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)) >= 0) {
        shortage->files[shortage->num_files++] = fd;
    }
}

static void
end_shortage(struct shortage *shortage) {
    while (shortage->num_files > 0) {
        close(shortage->files[--shortage->num_files]);
    }
    CHECK_EQUAL(0, setrlimit(RLIMIT_NOFILE, &shortage->limit));
}

/* Sleeps until it is notified, until the client writes or that time has passed. Returns how often it was woken. */
static size_t
count_wakeups(const struct peer *client, uint64_t time_ns) {
    doca_notification_handle_t handle;
    REQUIRE_SUCCESS(doca_pe_get_notification_handle(side.pe, &handle));
    struct pollfd fds[] = {{.fd = handle, .events = POLLIN}, {.fd = client->replies, .events = POLLIN}};
    const uint64_t deadline = now_ns() + time_ns;
    size_t num_wakeups = 0;
    while (fds[1].revents == 0 && now_ns() < deadline && num_wakeups < MAX_NUM_WAKEUPS) {
        settle(&side);
        REQUIRE_SUCCESS(doca_pe_request_notification(side.pe));
        const int num_ready = poll(fds, 2, (int)(time_ns / 1000000));
        CHECK(num_ready >= 0);
        num_wakeups += num_ready > 0;
        REQUIRE_SUCCESS(doca_pe_clear_notification(side.pe, handle));
        settle(&side);
    }
    return num_wakeups;
}

/* Starts a listener without a free descriptor, and the client, which connects when it is asked to. */
static struct peer
listen_in_shortage(struct shortage *shortage) {
    begin();
    listen_here();
    const struct peer client = start_peer("client", "dpu");
    settle(&side);
    begin_shortage(shortage);
    return client;
}

/* The program wakes up only a few times while no client can connect. */
static void
without_descriptors_clients_are_refused(void) {
    struct shortage shortage;
    char byte = '?';
    struct peer client = listen_in_shortage(&shortage);
    write_fully(client.requests, "c", 1);
    CHECK(count_wakeups(&client, UINT64_C(10) * 1000000000) < MAX_NUM_WAKEUPS);
    end_shortage(&shortage);
    CHECK(read_fully(client.replies, &byte, 1));
    CHECK_EQUAL('f', byte);
    check_logged("too many open files");
    end_peer(&client);
    CHECK_EQUAL(0, side.num_events);
    end_side(&side);
}

/* Another thread may take the spare descriptor when it is closed; here the process may not have a descriptor so high. */
static void
without_a_spare_descriptor_clients_wait(void) {
    struct shortage shortage;
    char byte = '?';
    struct peer client = listen_in_shortage(&shortage);
    limit_files(&shortage, 3);
    write_fully(client.requests, "c", 1);
    CHECK(count_wakeups(&client, UINT64_C(500) * 1000000) < MAX_NUM_WAKEUPS);
    end_shortage(&shortage);
    await_event(&side, 1, NULL);
    CHECK(read_fully(client.replies, &byte, 1));
    CHECK_EQUAL('e', byte);
    end_peer(&client);
    end_side(&side);
}

/* Otherwise the listener could not refuse clients later. The attempt to connect opens what is not of the listener. */
static void
a_listener_needs_its_spare_descriptor(void) {
    begin();
    struct doca_rdma_addr *addr = create_addr(DOCA_RDMA_ADDR_TYPE_IPv4, LOOPBACK, PORT);
    ask(&side, addr, 7);
    await_event(&side, 1, NULL);
    check_cm_event(&side, 0, CM_FAILED, 7);
    /* The first two are for the folder and for the search for stale sockets in it. */
    CHECK_SUCCESS(doca_emulator_set_faults("fail-system=descriptor:3"));
    CHECK_REFUSED(DOCA_ERROR_OPERATING_SYSTEM, "Failed to listen: spare descriptor: Too many open files",
                  doca_rdma_start_listen_to_port(side.rdma, PORT));
    CHECK_SUCCESS(doca_emulator_set_faults(NULL));
    listen_here();
    CHECK_SUCCESS(doca_rdma_addr_destroy(addr));
    end_side(&side);
}

static doca_error_t result_of_cancelled = DOCA_ERROR_UNKNOWN;

static void *
listen_cancelled(void *unused) {
    pthread_cancel(pthread_self());
    result_of_cancelled = doca_rdma_start_listen_to_port(side.rdma, PORT);
    return unused;
}

/* Otherwise the folder could stay locked: other processes could not listen. */
static void
a_thread_is_not_cancelled_while_it_listens(void) {
    pthread_t thread;
    begin();
    CHECK_EQUAL(0, pthread_create(&thread, NULL, listen_cancelled, NULL));
    CHECK_EQUAL(0, pthread_join(thread, NULL));
    CHECK_SUCCESS(result_of_cancelled);
    CHECK_SUCCESS(doca_rdma_stop_listen_to_port(side.rdma, PORT));
    end_side(&side);
}

/*
 * Children
 */

/* Listens, forks a child, and is killed. */
static int
run_parent(void) {
    char byte;
    begin();
    listen_here();
    if (fork() == 0) {
        /* Written by the child, which may hold the sockets of its parent until it runs. */
        (void)!write(STDOUT_FILENO, "l", 1);
        /* Waits until the test ends. */
        (void)!read(STDIN_FILENO, &byte, 1);
        _exit(0);
    }
    pause();
    return 0;
}

/* The child has a copy of all state, but not of the sockets of its parent. */
static void
a_child_does_not_keep_a_listener_alive(void) {
    char byte;
    struct peer parent = start_peer("parent", "dpu");
    CHECK(read_fully(parent.replies, &byte, 1));
    kill(parent.pid, SIGKILL);
    waitpid(parent.pid, NULL, 0);
    begin();
    struct doca_rdma_addr *addr = create_addr(DOCA_RDMA_ADDR_TYPE_IPv4, LOOPBACK, PORT);
    ask(&side, addr, 7);
    await_event(&side, 1, NULL);
    check_cm_event(&side, 0, CM_FAILED, 7);
    check_logged("nobody listens there");
    listen_here();
    CHECK_SUCCESS(doca_rdma_addr_destroy(addr));
    end_side(&side);
    close(parent.requests);
    close(parent.replies);
}

static size_t
count_sockets(void) {
    DIR *folder = opendir("/proc/self/fd");
    struct dirent *entry;
    size_t num_sockets = 0;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        struct stat status;
        num_sockets += fstatat(dirfd(folder), entry->d_name, &status, 0) == 0 && S_ISSOCK(status.st_mode);
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return num_sockets;
}

static void
check_no_sockets(void *unused) {
    (void)unused;
    CHECK_EQUAL(0, count_sockets());
}

/* The process lacks a descriptor for the file that children have in place of sockets, but only for a while. */
static void
a_missing_descriptor_does_not_give_sockets_to_children(void) {
    struct doca_pe *first;
    struct doca_dev *device = open_device("mlx5_0");
    CHECK_SUCCESS(doca_emulator_set_faults("fail-system=descriptor:2"));
    REQUIRE_SUCCESS(doca_pe_create(&first));
    CHECK_STRING("open", doca_emulator_failed_call());
    CHECK_SUCCESS(doca_emulator_set_faults(NULL));
    start_side(&side, "mlx5_0");
    listen_here();
    CHECK(count_sockets() > 0);
    check_in_child(check_no_sockets, NULL);
    end_side(&side);
    CHECK_SUCCESS(doca_pe_destroy(first));
    CHECK_SUCCESS(doca_dev_close(device));
}

int
main(int argc, char **argv) {
    if (argc > 1) {
        signal(SIGPIPE, SIG_IGN);
        return strcmp(argv[1], "client") == 0 ? run_client() : run_parent();
    }
    use_own_runtime_dir();
    check_with_environment("DOCA_EMULATOR_ENGINE", "inline", stale_sockets_are_removed);
    check_with_environment("DOCA_EMULATOR_RUNTIME_DIR", "/proc/self/fd", a_name_that_cannot_be_had_is_not_in_use);
    check_with_environment("DOCA_EMULATOR_ENGINE", "inline", a_missing_descriptor_does_not_give_sockets_to_children);
    check_with_environment("DOCA_EMULATOR_ENGINE", "inline", a_listener_needs_its_spare_descriptor);
    check_with_environment("DOCA_EMULATOR_ENGINE", "inline", a_thread_is_not_cancelled_while_it_listens);
    the_socket_of_another_is_not_removed();
    a_file_with_the_name_is_not_removed();
    without_descriptors_clients_are_refused();
    without_a_spare_descriptor_clients_wait();
    a_child_does_not_keep_a_listener_alive();
    CHECK_EQUAL(0, rmdir(runtime_dir));
    return check_result();
}
