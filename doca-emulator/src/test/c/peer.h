/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Other processes of a test: the test program is started again, as a host that exports memory or as another DPU. A peer
 * executes requests from a pipe and otherwise sleeps in read(2).
 */
#ifndef DOCA_EMULATOR_PEER_H_
#define DOCA_EMULATOR_PEER_H_

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>

#include "fixture.h"

#define MAX_DESCRIPTOR_SIZE 512

struct peer {
    pid_t pid;
    /* Pipes to its standard input and from its standard output. */
    int requests;
    int replies;
};

/* The initial content of the host's memory. */
static inline uint8_t
pattern_at(uint64_t offset) {
    return (uint8_t)(offset * 7 + offset / 251 + offset / 4096);
}

static inline bool
read_fully(int fd, void *bytes, size_t len) {
    size_t done = 0;
    while (done < len) {
        const ssize_t part = read(fd, (uint8_t *)bytes + done, len - done);
        if (part <= 0) {
            return false;
        }
        done += (size_t)part;
    }
    return true;
}

static inline void
write_fully(int fd, const void *bytes, size_t len) {
    size_t done = 0;
    while (done < len) {
        const ssize_t part = write(fd, (const uint8_t *)bytes + done, len - done);
        if (part <= 0) {
            perror("write to another process");
            exit(EXIT_FAILURE);
        }
        done += (size_t)part;
    }
}

/* Whether the address sanitizer searches peers for leaks, too. */
static inline bool
check_peer_leaks(void) {
    const char *setting = getenv("EMULATOR_PEER_LEAKS");
    return setting != NULL && strcmp(setting, "ON") == 0;
}

/* Runs in the new process, which executes the test program with the part as its argument. */
static inline void
become_peer(const char *part, const char *role, int requests, int replies) {
    dup2(requests, STDIN_FILENO);
    dup2(replies, STDOUT_FILENO);
    setenv("DOCA_EMULATOR_ROLE", role, 1);
    /* The search for leaks takes much longer than most peers. */
    if (!check_peer_leaks()) {
        setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
    }
    execl("/proc/self/exe", "peer", part, (char *)NULL);
    perror("exec");
    _exit(EXIT_FAILURE);
}

static inline struct peer
start_peer(const char *part, const char *role) {
    int requests[2];
    int replies[2];
    fflush(NULL);
    if (pipe2(requests, O_CLOEXEC) != 0 || pipe2(replies, O_CLOEXEC) != 0) {
        perror("pipe");
        exit(EXIT_FAILURE);
    }
    const pid_t pid = fork();
    if (pid == 0) {
        become_peer(part, role, requests[0], replies[1]);
    }
    close(requests[0]);
    close(replies[1]);
    return (struct peer){.pid = pid, .requests = requests[1], .replies = replies[0]};
}

/* Returns the exit status of a process that exits by itself or was killed. */
static inline int
join_peer(struct peer *peer) {
    int status = -1;
    close(peer->requests);
    close(peer->replies);
    if (waitpid(peer->pid, &status, 0) != peer->pid) {
        perror("waitpid");
    }
    return status;
}

/* Ends an idle peer, which must exit without a failed check. */
static inline void
end_peer(struct peer *peer) {
    CHECK_EQUAL(0, join_peer(peer));
}

static inline void
kill_peer(struct peer *peer) {
    kill(peer->pid, SIGKILL);
    CHECK_EQUAL(SIGKILL, join_peer(peer));
}

/* Returns when no thread of the peer runs any more. */
static inline void
suspend(const struct peer *peer) {
    int status;
    kill(peer->pid, SIGSTOP);
    CHECK_EQUAL(peer->pid, waitpid(peer->pid, &status, WUNTRACED));
    CHECK(WIFSTOPPED(status));
}

/*
 * The host, which has one memory map.
 */

enum host_action {
    /* Creates new memory and a started map of it. */
    HOST_CREATE,
    HOST_EXPORT,
    HOST_START,
    HOST_STOP,
    /* Stops and uses the memory at once. */
    HOST_STOP_AND_POKE,
    HOST_DESTROY,
    /* Unmaps the memory while the map is started. */
    HOST_UNMAP,
    HOST_PEEK,
    HOST_POKE,
    /* A child stops the map that it has from its parent, and exports its own memory. */
    HOST_FORK,
    HOST_COUNT_RESOURCES,
    /*
     * The process executes a new program, which has no state and answers the next request. This request has no
     * answer.
     */
    HOST_BECOME_ANOTHER_PROGRAM,
};

/* The open files and mappings of a process. */
struct resources {
    size_t num_files;
    size_t num_maps;
};

struct host_request {
    enum host_action action;
    uint64_t offset;
    uint64_t len;
    /* The wanted address of the memory, or 0. */
    uint64_t addr;
    uint32_t permissions;
    uint8_t value;
    char device[16];
};

struct host_reply {
    doca_error_t result;
    uint64_t addr;
    uint64_t len;
    uint8_t value;
    struct resources resources;
    size_t descriptor_size;
    uint8_t descriptor[MAX_DESCRIPTOR_SIZE];
};

struct host_state {
    struct doca_dev *dev;
    struct doca_mmap *mmap;
    uint8_t *memory;
    uint64_t len;
};

/* Fills both ends of the memory; untouched pages cost nothing. */
static inline void
host_create(struct host_state *host, const struct host_request *request) {
    host->dev = open_device(request->device);
    host->len = request->len;
    host->memory = mmap((void *)(uintptr_t)request->addr, host->len, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (request->addr != 0 ? MAP_FIXED_NOREPLACE : 0),
                        -1, 0);
    if (host->memory == MAP_FAILED) {
        perror("mmap");
        exit(EXIT_FAILURE);
    }
    const uint64_t filled = host->len < 65536 ? host->len : 65536;
    for (uint64_t i = 0; i < filled; i++) {
        host->memory[i] = pattern_at(i);
        host->memory[host->len - 1 - i] = pattern_at(host->len - 1 - i);
    }
    host->mmap = start_permitted(host->memory, host->len, host->dev, request->permissions);
}

static inline doca_error_t
host_export(struct host_state *host, struct host_reply *reply) {
    const void *descriptor;
    const doca_error_t result =
            doca_mmap_export_pci(host->mmap, host->dev, &descriptor, &reply->descriptor_size);
    if (result == DOCA_SUCCESS) {
        memcpy(reply->descriptor, descriptor, reply->descriptor_size);
    }
    reply->addr = (uintptr_t)host->memory;
    reply->len = host->len;
    return result;
}

static inline doca_error_t
host_destroy(struct host_state *host) {
    const doca_error_t result = doca_mmap_destroy(host->mmap);
    if (result == DOCA_SUCCESS) {
        CHECK_SUCCESS(doca_dev_close(host->dev));
        munmap(host->memory, host->len);
    }
    return result;
}

/* A host, and the descriptor of its export. */
struct host_export {
    const struct host_state *host;
    const struct host_reply *reply;
};

static inline void
host_end_copy(void *argument) {
    const struct host_export *export = argument;
    const void *own;
    size_t own_size;
    CHECK_SUCCESS(doca_mmap_export_pci(export->host->mmap, export->host->dev, &own, &own_size));
    CHECK(memcmp(own, export->reply->descriptor, own_size) != 0);
    CHECK_SUCCESS(doca_mmap_stop(export->host->mmap));
    CHECK_SUCCESS(doca_mmap_destroy(export->host->mmap));
}

static inline doca_error_t
host_fork(struct host_state *host, struct host_reply *reply) {
    const doca_error_t result = host_export(host, reply);
    check_in_child(host_end_copy, &(struct host_export){host, reply});
    return result;
}

static inline size_t
count_lines(const char *path) {
    FILE *file = fopen(path, "re");
    size_t num_lines = 0;
    int c;
    while (file != NULL && (c = fgetc(file)) != EOF) {
        num_lines += c == '\n';
    }
    fclose(file);
    return num_lines;
}

static inline struct resources
count_resources(void) {
    struct resources resources = {.num_maps = count_lines("/proc/self/maps")};
    DIR *directory = opendir("/proc/self/fd");
    while (readdir(directory) != NULL) {
        resources.num_files++;
    }
    closedir(directory);
    return resources;
}

static inline void
host_answer(struct host_state *host, const struct host_request *request, struct host_reply *reply) {
    reply->result = DOCA_SUCCESS;
    switch (request->action) {
    case HOST_CREATE:
        host_create(host, request);
        break;
    case HOST_EXPORT:
        reply->result = host_export(host, reply);
        break;
    case HOST_START:
        reply->result = doca_mmap_start(host->mmap);
        break;
    case HOST_STOP:
        reply->result = doca_mmap_stop(host->mmap);
        break;
    case HOST_STOP_AND_POKE:
        reply->result = doca_mmap_stop(host->mmap);
        host->memory[request->offset] = request->value;
        break;
    case HOST_DESTROY:
        reply->result = host_destroy(host);
        break;
    case HOST_UNMAP:
        munmap(host->memory, host->len);
        break;
    case HOST_PEEK:
        reply->value = host->memory[request->offset];
        break;
    case HOST_POKE:
        host->memory[request->offset] = request->value;
        break;
    case HOST_FORK:
        reply->result = host_fork(host, reply);
        break;
    case HOST_COUNT_RESOURCES:
        reply->resources = count_resources();
        break;
    case HOST_BECOME_ANOTHER_PROGRAM:
        execl("/proc/self/exe", "peer", "host", (char *)NULL);
        perror("exec");
        exit(EXIT_FAILURE);
    }
}

/* The main loop of the process; returns when the pipe is closed. */
static inline int
run_host(void) {
    struct host_state host = {0};
    struct host_request request;
    while (read_fully(STDIN_FILENO, &request, sizeof(request))) {
        struct host_reply reply = {0};
        host_answer(&host, &request, &reply);
        write_fully(STDOUT_FILENO, &reply, sizeof(reply));
    }
    return check_result();
}

static inline void
send_to_host(struct peer *host, struct host_request request) {
    write_fully(host->requests, &request, sizeof(request));
}

static inline struct host_reply
receive_from_host(struct peer *host) {
    struct host_reply reply;
    if (!read_fully(host->replies, &reply, sizeof(reply))) {
        fprintf(stderr, "no answer from the host\n");
        exit(EXIT_FAILURE);
    }
    return reply;
}

static inline struct host_reply
ask_host(struct peer *host, struct host_request request) {
    send_to_host(host, request);
    return receive_from_host(host);
}

static inline struct host_reply
request_host(struct peer *host, enum host_action action) {
    return ask_host(host, (struct host_request){.action = action});
}

/* Starts a host that exports its memory and then sleeps in read(2). */
static inline struct peer
start_host_with(const char *part, struct host_request request, struct host_reply *exported) {
    struct peer host = start_peer(part, "host");
    request.action = HOST_CREATE;
    REQUIRE_SUCCESS(ask_host(&host, request).result);
    *exported = request_host(&host, HOST_EXPORT);
    REQUIRE_SUCCESS(exported->result);
    return host;
}

static inline struct peer
start_host(uint64_t len, uint32_t permissions, struct host_reply *exported) {
    return start_host_with(
            "host", (struct host_request){.len = len, .permissions = permissions, .device = "mlx5_0"}, exported);
}

/* Ends a host that still has its map, which must be unused. */
static inline void
end_host(struct peer *host) {
    CHECK_SUCCESS(request_host(host, HOST_DESTROY).result);
    end_peer(host);
}

static inline uint8_t
peek_host(struct peer *host, uint64_t offset) {
    return ask_host(host, (struct host_request){.action = HOST_PEEK, .offset = offset}).value;
}

#endif /* DOCA_EMULATOR_PEER_H_ */
