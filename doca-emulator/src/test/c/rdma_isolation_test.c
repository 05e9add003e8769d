/* SPDX-License-Identifier: Apache-2.0 */
/* Writes of other processes to shared memory, and forked children, neither end a context nor damage a run. */
#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "rdma_fixture.h"
#include "rdma_scribble.h"

#define NUM_RECEIVES 16
#define NUM_SEEDS 10

/* Like progress_until(), for an armed engine, where completions are found only after a clear. */
static void
clear_and_progress_until(size_t count) {
    while (num_events < count) {
        CHECK_SUCCESS(doca_pe_clear_notification(pe, 0));
        progress_all();
    }
}

/* Whatever the content is, the context stops, all receives complete, and a new run works. */
static void
scribbled_receives_end(uint64_t seed) {
    struct side side = create_running_side();
    for (uint64_t number = 0; number < NUM_RECEIVES; number++) {
        CHECK_SUCCESS(doca_task_submit(make_receive(&side, NULL, number)));
    }
    CHECK(scribble_over_all(seed) >= 2);
    for (int i = 0; i < 100; i++) {
        (void)doca_pe_progress(pe);
        /* A context that has failed would lose its receives. */
        if (state_of(&side) == DOCA_CTX_STATE_RUNNING) {
            CHECK_SUCCESS(doca_pe_request_notification(pe));
            CHECK_SUCCESS(doca_pe_clear_notification(pe, 0));
        }
    }
    const void *details;
    size_t size;
    struct doca_rdma_connection *connection;
    /* Unless it has failed. */
    (void)doca_rdma_export(side.rdma, &details, &size, &connection);
    (void)doca_ctx_stop(side.ctx);
    clear_and_progress_until(NUM_RECEIVES);
    stop_side(&side);

    start_side(&side);
    export_connection(&side, 0);
    export_connection(&side, 1);
    CHECK_SUCCESS(connect_to(&side, 0, &side, 1));
    CHECK_SUCCESS(connect_to(&side, 1, &side, 0));
    CHECK_SUCCESS(doca_task_submit(make_receive(&side, NULL, 1)));
    CHECK_SUCCESS(doca_task_submit(make_send(&side, 0, NULL, 2)));
    clear_and_progress_until(2);
    check_event(1, DOCA_SUCCESS);
    check_event(2, DOCA_SUCCESS);
    destroy_side(&side);
}

/* The lock of an address is free if no living process holds it. */
static void
a_scribbled_lock_is_taken(void) {
    struct side a = create_running_side();
    struct side b = create_running_side();
    connect_sides(&a, &b);
    struct shared shared = share(memory + 8192, 4096, ALL_PERMISSIONS);
    struct doca_buf *remote = space_of(shared.imported, memory + 8192, 8);
    struct doca_buf *result = target(0, 8);
    /* The locks are in the last part of the file of the process, and 64 cache lines long. */
    DIR *folder = opendir("/proc/self/fd");
    struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        char link[256] = "";
        struct stat status;
        const int fd = atoi(entry->d_name);
        if (readlinkat(dirfd(folder), entry->d_name, link, sizeof(link) - 1) > 0 &&
            strstr(link, "memfd:doca-emulator") != NULL && fstat(fd, &status) == 0 && status.st_size < 8192) {
            uint8_t *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
            memset(bytes + status.st_size - 64 * 64, 0xff, 64 * 64);
            munmap(bytes, (size_t)status.st_size);
        }
    }
    closedir(folder);
    CHECK_SUCCESS(doca_task_submit(make_fetch_add(&a, 0, remote, result, 1, 1)));
    progress_until(1);
    check_event(1, DOCA_SUCCESS);
    destroy_side(&a);
    destroy_side(&b);
    GIVE_BACK(remote, result);
    end_share(&shared);
}

/*
 * Forks
 */

/* The child destroys its copies, like a program that cleans up. */
static void
end_copies(void *copies) {
    struct side *a = copies;
    struct side *b = a + 1;
    struct doca_task *task = make_receive(b, NULL, 50);
    CHECK_REFUSED(DOCA_ERROR_BAD_STATE, "was started by the parent", doca_task_submit(task));
    doca_task_free(task);
    CHECK_EQUAL(0, doca_pe_progress(pe));
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(b->ctx));
    progress_until(NUM_RECEIVES);
    for (size_t i = 0; i < num_events; i++) {
        CHECK_ERROR(DOCA_ERROR_BAD_STATE, events[i].status);
    }
    destroy_side(a);
    destroy_side(b);
#if CHILDREN_CAN_START_THREADS
    /* The child then creates its own context. */
    struct side own = create_running_side();
    export_connection(&own, 0);
    export_connection(&own, 1);
    CHECK_SUCCESS(connect_to(&own, 0, &own, 1));
    CHECK_SUCCESS(connect_to(&own, 1, &own, 0));
    CHECK_SUCCESS(doca_task_submit(make_receive(&own, NULL, 1)));
    CHECK_SUCCESS(doca_task_submit(make_send(&own, 0, NULL, 2)));
    progress_until(2);
    check_event(1, DOCA_SUCCESS);
    check_event(2, DOCA_SUCCESS);
    destroy_side(&own);
#endif
}

static void
a_forked_child_does_not_touch_the_run(void) {
    struct side sides[2] = {create_running_side(), create_running_side()};
    connect_sides(&sides[0], &sides[1]);
    for (uint64_t number = 0; number < NUM_RECEIVES; number++) {
        CHECK_SUCCESS(doca_task_submit(make_receive(&sides[1], NULL, number)));
    }
    check_in_child(end_copies, sides);
    for (uint64_t number = 0; number < NUM_RECEIVES; number++) {
        CHECK_SUCCESS(doca_task_submit(make_send_imm(&sides[0], 0, NULL, 7, 100 + number)));
    }
    progress_until(2 * NUM_RECEIVES);
    for (size_t i = 0; i < num_events; i++) {
        CHECK_ERROR(DOCA_SUCCESS, events[i].status);
    }
    destroy_side(&sides[0]);
    destroy_side(&sides[1]);
}

/* The parent has begun to stop the context, whose tasks were not reported yet. */
static void
end_stopping_copy(void *parents) {
    struct side *side = parents;
    CHECK_EQUAL(DOCA_CTX_STATE_STOPPING, state_of(side));
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(side->ctx));
    progress_until(NUM_RECEIVES);
    for (size_t i = 0; i < num_events; i++) {
        CHECK_ERROR(DOCA_ERROR_BAD_STATE, events[i].status);
    }
    destroy_side(side);
}

static void
a_child_ends_a_stop_of_its_parent(void) {
    struct side side = create_running_side();
    for (uint64_t number = 0; number < NUM_RECEIVES; number++) {
        CHECK_SUCCESS(doca_task_submit(make_receive(&side, NULL, number)));
    }
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(side.ctx));
    check_in_child(end_stopping_copy, &side);
    progress_until(NUM_RECEIVES);
    destroy_side(&side);
}

static void
end_working_copy(void *side) {
    num_events = 0;
    (void)doca_ctx_stop(((struct side *)side)->ctx);
    progress_until(NUM_TASKS);
    destroy_side(side);
}

/* Forks while the thread of the engine is working and holds the locks. */
static void
forks_while_the_engine_works(void) {
    struct side a = create_running_side();
    struct side b = create_running_side();
    connect_sides(&a, &b);
    for (int i = 0; i < 20; i++) {
        for (uint64_t number = 0; number < NUM_TASKS; number++) {
            CHECK_SUCCESS(doca_task_submit(make_write(&a, 0, NULL, NULL, number)));
        }
        check_in_child(end_working_copy, &a);
        progress_until(NUM_TASKS);
        for (size_t k = 0; k < num_events; k++) {
            CHECK_ERROR(DOCA_SUCCESS, events[k].status);
        }
        forget_events();
    }
    destroy_side(&a);
    destroy_side(&b);
}

static void
run_all(void) {
    keep_errors();
    open_fixture();
    a_forked_child_does_not_touch_the_run();
    a_child_ends_a_stop_of_its_parent();
    forks_while_the_engine_works();
    check_nothing_logged();
    for (uint64_t seed = 0; seed < NUM_SEEDS; seed++) {
        scribbled_receives_end(seed);
    }
    a_scribbled_lock_is_taken();
    close_fixture();
}

int
main(void) {
    check_with_engines(run_all);
    return check_result();
}
