/* SPDX-License-Identifier: Apache-2.0 */
/* The threads of the emulator: their names, their ends, and failures to start them. */
#include "quiet_dma.h"

#include <dirent.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

/* Returns the number of threads of this process with that name; with NULL those with any name of the emulator's. */
static int
count_threads(const char *name) {
    DIR *tasks = opendir("/proc/self/task");
    struct dirent *entry;
    int count = 0;
    while ((entry = readdir(tasks)) != NULL) {
        char path[300];
        char actual[32] = "";
        snprintf(path, sizeof(path), "/proc/self/task/%s/comm", entry->d_name);
        FILE *file = fopen(path, "r");
        if (file != NULL) {
            (void)!fscanf(file, "%31s", actual);
            fclose(file);
            count += name == NULL ? strncmp(actual, "doca-", strlen("doca-")) == 0 : strcmp(actual, name) == 0;
        }
    }
    closedir(tasks);
    return count;
}

/* A joined thread stays listed until the kernel has removed it. */
static void
check_num_threads(int expected, const char *name) {
    const time_t deadline = time(NULL) + 10;
    while (count_threads(name) != expected && time(NULL) < deadline) {
        sched_yield();
    }
    CHECK_EQUAL(expected, count_threads(name));
}

static void
end_dma(struct doca_dma *dma) {
    CHECK_SUCCESS(doca_ctx_stop(doca_dma_as_ctx(dma)));
    CHECK_SUCCESS(doca_dma_destroy(dma));
}

static void
check_threads(int num_dma, int num_rdma, int num_wakers) {
    check_num_threads(num_dma, "doca-dma");
    check_num_threads(num_rdma, "doca-rdma");
    check_num_threads(num_wakers, "doca-rdma-wake");
}

/* Contexts that have threads. */
struct users {
    struct doca_dma *dma;
    struct side side;
};

/* The child has none of its parent's threads, destroys the objects that use them, and starts its own. */
static void
check_child(void *argument) {
    struct users *users = argument;
    check_num_threads(0, NULL);
    end_dma(users->dma);
    destroy_side(&users->side);
    if (CHILDREN_CAN_START_THREADS) {
        struct doca_dma *own = create_dma();
        REQUIRE_SUCCESS(doca_ctx_start(doca_dma_as_ctx(own)));
        check_threads(2, 0, 0);
        end_dma(own);
        check_num_threads(0, NULL);
    }
}

static void
threads_have_names_and_end(void) {
    struct users users = {.dma = create_dma()};
    REQUIRE_SUCCESS(doca_ctx_start(doca_dma_as_ctx(users.dma)));
    check_threads(2, 0, 0);
    users.side = create_running_side();
    REQUIRE_SUCCESS(doca_task_submit(make_receive(&users.side, NULL, 0)));
    REQUIRE_SUCCESS(doca_pe_request_notification(pe));
    check_threads(2, 1, 1);
    check_in_child(check_child, &users);
    check_threads(2, 1, 1);
    end_dma(users.dma);
    destroy_side(&users.side);
    check_num_threads(0, NULL);
}

/* The context is idle then, without the threads that could be started, and can be started again. */
static void
a_thread_that_cannot_be_started_is_an_error_of_the_system(void) {
    struct doca_dma *dma = create_dma();
    for (int number = 1; number <= 2; number++) {
        char faults[32];
        snprintf(faults, sizeof(faults), "fail-system=thread:%d", number);
        CHECK_SUCCESS(doca_emulator_set_faults(faults));
        CHECK_REFUSED(DOCA_ERROR_OPERATING_SYSTEM, "Failed to start thread doca-dma: Resource temporarily unavailable",
                      doca_ctx_start(doca_dma_as_ctx(dma)));
        check_num_threads(0, NULL);
    }
    CHECK_SUCCESS(doca_emulator_set_faults("fail-system=thread:1"));
    struct side side = create_side();
    CHECK_REFUSED(DOCA_ERROR_OPERATING_SYSTEM, "Failed to start thread doca-rdma: Resource temporarily unavailable",
                  doca_ctx_start(side.ctx));
    CHECK_SUCCESS(doca_emulator_set_faults(NULL));
    REQUIRE_SUCCESS(doca_ctx_start(doca_dma_as_ctx(dma)));
    end_dma(dma);
    destroy_side(&side);
}

/* The same error from each function that needs one. */
static void
a_missing_descriptor_is_an_error_of_the_system(void) {
    static uint8_t shared_memory[64];
    const void *descriptor;
    size_t size;
    struct doca_pe *engine;
    struct side side = create_side();
    struct doca_mmap *mmap = start_permitted(shared_memory, sizeof(shared_memory), dev, DOCA_ACCESS_FLAG_RDMA_READ);
    CHECK_SUCCESS(doca_emulator_set_faults("fail-system=descriptor:1"));
    CHECK_ERROR(DOCA_ERROR_OPERATING_SYSTEM, doca_pe_create(&engine));
    CHECK_SUCCESS(doca_emulator_set_faults("fail-system=descriptor:2"));
    CHECK_REFUSED(DOCA_ERROR_OPERATING_SYSTEM, "Failed to export memory: memfd_create: Too many open files",
                  doca_mmap_export_rdma(mmap, dev, &descriptor, &size));
    CHECK_SUCCESS(doca_emulator_set_faults("fail-system=descriptor:1"));
    CHECK_REFUSED(DOCA_ERROR_OPERATING_SYSTEM, "Failed to connect: /proc cannot be read: Too many open files",
                  doca_ctx_start(side.ctx));
    CHECK_SUCCESS(doca_emulator_set_faults(NULL));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
    destroy_side(&side);
}

static void
exit_well(int signal_number) {
    (void)signal_number;
    _exit(EXIT_SUCCESS);
}

/* The thread that copies finds no memory, because the mapped file has become shorter. */
static void
a_fault_of_a_thread_reaches_the_handler_of_the_program(void) {
    open_fixture();
    const int fd = memfd_create("source", MFD_CLOEXEC);
    CHECK_EQUAL(0, ftruncate(fd, 4096));
    uint8_t *shortened = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    struct doca_mmap *map = start_mmap(shortened, 4096, dev);
    struct doca_dma *dma = create_dma();
    struct doca_dma_task_memcpy *task;
    REQUIRE_SUCCESS(doca_ctx_start(doca_dma_as_ctx(dma)));
    REQUIRE_SUCCESS(
            doca_dma_task_memcpy_alloc_init(dma, data_of(map, shortened, 64), target(0, 64), numbered(0), &task));
    CHECK_EQUAL(0, ftruncate(fd, 0));
    signal(SIGBUS, exit_well);
    CHECK_SUCCESS(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
    for (;;) {
        pause();
    }
}

int
main(void) {
    check_with_environment("DOCA_EMULATOR_ENGINE", "threaded", a_fault_of_a_thread_reaches_the_handler_of_the_program);
    setenv("DOCA_EMULATOR_ENGINE", "threaded", 1);
    keep_errors();
    open_fixture();
    REQUIRE_SUCCESS(doca_pe_set_event_mode(pe, DOCA_PE_EVENT_MODE_PROGRESS_ALL));
    threads_have_names_and_end();
    a_thread_that_cannot_be_started_is_an_error_of_the_system();
    a_missing_descriptor_is_an_error_of_the_system();
    close_fixture();
    return check_result();
}
