/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Release 1.5: memory maps of several chunks, copied by DMA jobs in one process and from an export of another one.
 */
#include <doca_buf_inventory.h>
#include <doca_dma.h>
#include <doca_log.h>
#include <doca_mmap.h>
#include <pthread.h>
#include <semaphore.h>

#include "../../check.h"
#include "../host.h"

DOCA_LOG_REGISTER(TEST);

#define CHUNK 8192

static _Alignas(64) uint8_t memory[4 * CHUNK];
static struct doca_dev *dev;
static struct doca_buf_inventory *inventory;
static struct doca_dma *dma;
static struct doca_workq *workq;
static int num_freed;

static void
count_free(void *addr, size_t len, void *opaque) {
    CHECK_EQUAL(CHUNK, len);
    CHECK_POINTER(memory, opaque);
    CHECK((uint8_t *)addr >= memory);
    num_freed++;
}

static void
open_device(void) {
    struct doca_devinfo **list;
    struct doca_pci_bdf pci_addr;
    uint32_t num_devices;
    REQUIRE_SUCCESS(doca_devinfo_list_create(&list, &num_devices));
    CHECK_SUCCESS(doca_devinfo_get_pci_addr(list[1], &pci_addr));
    CHECK_EQUAL(1, pci_addr.function);
    CHECK_EQUAL(0, pci_addr.device);
    CHECK((pci_addr.raw & 0xff) == pci_addr.bus && pci_addr.bus != 0);
    REQUIRE_SUCCESS(doca_dev_open(list[0], &dev));
    REQUIRE_SUCCESS(doca_devinfo_list_destroy(list));
}

/* Creates a map with two chunks, at the first and the third quarter of the memory. */
static struct doca_mmap *
start_mmap(void) {
    struct doca_mmap *mmap;
    uint32_t limit = 0;
    REQUIRE_SUCCESS(doca_mmap_create(NULL, &mmap));
    CHECK_SUCCESS(doca_mmap_get_max_num_chunks(mmap, &limit));
    CHECK_EQUAL(1, limit);
    REQUIRE_SUCCESS(doca_mmap_set_max_num_chunks(mmap, 2));
    REQUIRE_SUCCESS(doca_mmap_dev_add(mmap, dev));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_mmap_populate(mmap, memory, CHUNK, 4096, NULL, NULL));
    REQUIRE_SUCCESS(doca_mmap_start(mmap));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_mmap_set_max_num_chunks(mmap, 3));
    REQUIRE_SUCCESS(doca_mmap_populate(mmap, memory, CHUNK, 4096, count_free, memory));
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_mmap_populate(mmap, memory + 64, CHUNK, 4096, NULL, NULL));
    REQUIRE_SUCCESS(doca_mmap_populate(mmap, memory + 2 * CHUNK, CHUNK, 4096, count_free, memory));
    CHECK_ERROR(DOCA_ERROR_NO_MEMORY, doca_mmap_populate(mmap, memory + 3 * CHUNK, CHUNK, 4096, NULL, NULL));
    return mmap;
}

static void
start_dma(void) {
    struct doca_ctx *ctx;
    REQUIRE_SUCCESS(doca_dma_create(&dma));
    ctx = doca_dma_as_ctx(dma);
    REQUIRE_SUCCESS(doca_ctx_dev_add(ctx, dev));
    REQUIRE_SUCCESS(doca_ctx_start(ctx));
    REQUIRE_SUCCESS(doca_workq_create(1, &workq));
    CHECK_SUCCESS(doca_workq_set_depth(workq, 4));
    REQUIRE_SUCCESS(doca_ctx_workq_add(ctx, workq));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_workq_set_depth(workq, 8));
    REQUIRE_SUCCESS(doca_buf_inventory_create(NULL, 8, DOCA_BUF_EXTENSION_LINKED_LIST, &inventory));
    REQUIRE_SUCCESS(doca_buf_inventory_start(inventory));
}

static void
stop_dma(void) {
    struct doca_ctx *ctx = doca_dma_as_ctx(dma);
    CHECK_SUCCESS(doca_ctx_workq_rm(ctx, workq));
    CHECK_SUCCESS(doca_workq_destroy(workq));
    CHECK_SUCCESS(doca_ctx_stop(ctx));
    CHECK_SUCCESS(doca_dma_destroy(dma));
    CHECK_SUCCESS(doca_buf_inventory_stop(inventory));
    CHECK_SUCCESS(doca_buf_inventory_destroy(inventory));
}

/* Makes a job that copies 100 bytes. */
static struct doca_dma_job_memcpy
make_job(struct doca_mmap *src_map, uint8_t *src, struct doca_mmap *dst_map, uint8_t *dst) {
    struct doca_dma_job_memcpy job = {.base = {.type = DOCA_DMA_JOB_MEMCPY, .ctx = doca_dma_as_ctx(dma)}};
    struct doca_buf *src_buf;
    REQUIRE_SUCCESS(doca_buf_inventory_buf_by_addr(inventory, src_map, src, 100, &src_buf));
    CHECK_SUCCESS(doca_buf_set_data(src_buf, src, 100));
    REQUIRE_SUCCESS(doca_buf_inventory_buf_by_args(inventory, dst_map, dst, 200, dst, 0, &job.dst_buff));
    job.src_buff = src_buf;
    return job;
}

static void
retrieve(void) {
    struct doca_event event = {0};
    doca_error_t result;
    do {
        result = doca_workq_progress_retrieve(workq, &event, DOCA_WORKQ_RETRIEVE_FLAGS_NONE);
    } while (result == DOCA_ERROR_AGAIN);
    CHECK_SUCCESS(result);
    CHECK_EQUAL(DOCA_SUCCESS, event.result.u64);
}

static void
run_job(struct doca_dma_job_memcpy *job) {
    CHECK_SUCCESS(doca_workq_submit(workq, &job->base));
    retrieve();
}

static void
end_job(struct doca_dma_job_memcpy *job) {
    CHECK_SUCCESS(doca_buf_refcount_rm((struct doca_buf *)job->src_buff, NULL));
    CHECK_SUCCESS(doca_buf_refcount_rm(job->dst_buff, NULL));
}

static void
copy(struct doca_mmap *src_map, uint8_t *src, struct doca_mmap *dst_map, uint8_t *dst) {
    struct doca_dma_job_memcpy job = make_job(src_map, src, dst_map, dst);
    run_job(&job);
    end_job(&job);
}

static void
check_chunks(void) {
    struct doca_mmap *mmap = start_mmap();
    struct doca_buf *buf;
    uint32_t num_bufs = 0;
    uint32_t key = 0;
    memset(memory, 0x61, 100);
    copy(mmap, memory, mmap, memory + 2 * CHUNK);
    CHECK_EQUAL(0, memcmp(memory, memory + 2 * CHUNK, 100));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE,
                doca_buf_inventory_buf_by_addr(inventory, mmap, memory + CHUNK - 10, 20, &buf));
    REQUIRE_SUCCESS(doca_buf_inventory_buf_by_addr(inventory, mmap, memory + 2 * CHUNK, 20, &buf));
    CHECK_SUCCESS(doca_mmap_get_num_bufs(mmap, &num_bufs));
    CHECK_EQUAL(1, num_bufs);
    CHECK_SUCCESS(doca_buf_get_lkey(buf, dev, DOCA_ACCESS_LOCAL_WRITE, &key));
    CHECK(key != 0);
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_mmap_destroy(mmap));
    CHECK_SUCCESS(doca_buf_refcount_rm(buf, NULL));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
    CHECK_EQUAL(2, num_freed);
}

static void
check_stop_with_buffers(void) {
    struct doca_mmap *mmap = start_mmap();
    struct doca_dma_job_memcpy job = make_job(mmap, memory, mmap, memory + 2 * CHUNK);
    CHECK_SUCCESS(doca_mmap_stop(mmap));
    CHECK_SUCCESS(doca_mmap_start(mmap));
    memset(memory, 0x62, 100);
    run_job(&job);
    CHECK_EQUAL(0, memcmp(memory, memory + 2 * CHUNK, 100));
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_mmap_destroy(mmap));
    end_job(&job);
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
}

static struct doca_dev *
open_other_device(void) {
    struct doca_devinfo **list;
    uint32_t num_devices;
    struct doca_dev *other_dev;
    REQUIRE_SUCCESS(doca_devinfo_list_create(&list, &num_devices));
    REQUIRE_SUCCESS(doca_dev_open(list[1], &other_dev));
    REQUIRE_SUCCESS(doca_devinfo_list_destroy(list));
    return other_dev;
}

/* Also after the map has chunks, to which buffers point. */
static void
check_devices_change(void) {
    struct doca_dev *other_dev = open_other_device();
    struct doca_mmap *mmap;
    REQUIRE_SUCCESS(doca_mmap_create(NULL, &mmap));
    REQUIRE_SUCCESS(doca_mmap_start(mmap));
    REQUIRE_SUCCESS(doca_mmap_populate(mmap, memory, CHUNK, 4096, NULL, NULL));
    struct doca_dma_job_memcpy job = make_job(mmap, memory, mmap, memory + 4096);
    CHECK_SUCCESS(doca_mmap_dev_add(mmap, other_dev));
    CHECK_ERROR(DOCA_ERROR_IN_USE, doca_mmap_dev_add(mmap, other_dev));
    CHECK_ERROR(DOCA_ERROR_NO_MEMORY, doca_mmap_dev_add(mmap, dev));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_dev_rm(mmap, dev));
    CHECK_SUCCESS(doca_mmap_dev_rm(mmap, other_dev));
    CHECK_SUCCESS(doca_mmap_dev_add(mmap, dev));
    memset(memory, 0x63, 100);
    run_job(&job);
    CHECK_EQUAL(0, memcmp(memory, memory + 4096, 100));
    end_job(&job);
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
    CHECK_SUCCESS(doca_dev_close(other_dev));
}

/* Programs of this release have no call that resets the length of a buffer. */
static void
check_repeated_job(void) {
    struct doca_mmap *mmap = start_mmap();
    struct doca_dma_job_memcpy job = make_job(mmap, memory, mmap, memory + 2 * CHUNK);
    size_t len = 0;
    for (int i = 0; i < 3; i++) {
        memset(memory, 'a' + i, 100);
        memset(memory + 2 * CHUNK, 0, 200);
        run_job(&job);
        CHECK_EQUAL(0, memcmp(memory, memory + 2 * CHUNK, 100));
        CHECK_EQUAL(0, memory[2 * CHUNK + 100]);
        CHECK_SUCCESS(doca_buf_get_data_len(job.dst_buff, &len));
        CHECK_EQUAL(100, len);
    }
    end_job(&job);
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
}

/* A queue takes as many jobs as the device, even if its depth is less. */
static void
check_jobs_beyond_depth(void) {
    enum { NUM_JOBS = 1024 };
    struct doca_mmap *mmap = start_mmap();
    struct doca_dma_job_memcpy job = make_job(mmap, memory, mmap, memory + 2 * CHUNK);
    uint32_t depth = 0;
    CHECK_SUCCESS(doca_workq_get_depth(workq, &depth));
    CHECK_EQUAL(4, depth);
    for (int i = 0; i < NUM_JOBS; i++) {
        REQUIRE_SUCCESS(doca_workq_submit(workq, &job.base));
    }
    CHECK_ERROR(DOCA_ERROR_NO_MEMORY, doca_workq_submit(workq, &job.base));
    for (int i = 0; i < NUM_JOBS; i++) {
        retrieve();
    }
    end_job(&job);
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
}

/* Creates a map of one chunk and exports it. */
static struct doca_mmap *
export_chunk(void **export, size_t *len) {
    struct doca_mmap *mmap;
    void *another;
    size_t another_len;
    uint8_t is_exported = 0;
    REQUIRE_SUCCESS(doca_mmap_create(NULL, &mmap));
    REQUIRE_SUCCESS(doca_mmap_set_max_num_chunks(mmap, 2));
    REQUIRE_SUCCESS(doca_mmap_start(mmap));
    REQUIRE_SUCCESS(doca_mmap_dev_add(mmap, dev));
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_mmap_export(mmap, dev, export, len));
    REQUIRE_SUCCESS(doca_mmap_populate(mmap, memory, CHUNK, 4096, NULL, NULL));
    REQUIRE_SUCCESS(doca_mmap_export(mmap, dev, export, len));
    CHECK_SUCCESS(doca_mmap_get_exported(mmap, &is_exported));
    CHECK_EQUAL(1, is_exported);
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_mmap_export(mmap, dev, &another, &another_len));
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_mmap_dev_rm(mmap, dev));
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_mmap_dev_add(mmap, dev));
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_mmap_populate(mmap, memory + 2 * CHUNK, CHUNK, 4096, NULL, NULL));
    return mmap;
}

/* The process of the host: exports its memory, and waits until the other process has copied. */
static void
run_host(int exports, int end) {
    void *export;
    size_t len;
    open_device();
    struct doca_mmap *two_chunks = start_mmap();
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_mmap_export(two_chunks, dev, &export, &len));
    CHECK_SUCCESS(doca_mmap_destroy(two_chunks));
    struct doca_mmap *mmap = export_chunk(&export, &len);
    memset(memory + 4096, 0x35, 100);
    offer_export(exports, end, export, len);
    CHECK_EQUAL(0, memcmp(memory, memory + 4096, 100));
    free(export);
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
    CHECK_SUCCESS(doca_dev_close(dev));
}

/* The function of the host is behind the first port. */
static void
check_import_by_other_port(const uint8_t *export, size_t len) {
    struct doca_dev *other_dev = open_other_device();
    struct doca_mmap *imported;
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_mmap_create_from_export(NULL, export, len, other_dev, &imported));
    CHECK_SUCCESS(doca_dev_close(other_dev));
}

/* Copies within the chunk of the host. */
static void
check_import(pid_t host, int exports, int end) {
    uint8_t export[1024];
    struct doca_mmap *imported;
    uint8_t from_export = 0;
    const size_t len = receive_export(exports, export, sizeof(export));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_create_from_export(NULL, export, len - 1, dev, &imported));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_create_from_export(NULL, memory, len, dev, &imported));
    check_import_by_other_port(export, len);
    REQUIRE_SUCCESS(doca_mmap_create_from_export(NULL, export, len, dev, &imported));
    CHECK_SUCCESS(doca_mmap_get_from_export(imported, &from_export));
    CHECK_EQUAL(1, from_export);
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_mmap_populate(imported, memory, CHUNK, 4096, NULL, NULL));
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_mmap_dev_rm(imported, dev));
    /* The other process runs the same program, so its memory has the same address. */
    copy(imported, memory + 4096, imported, memory);
    end_host(host, end);
    CHECK_SUCCESS(doca_mmap_destroy(imported));
}

/* Records reach the stream even if the program has no back end. */
static void
check_log(void) {
    char text[256] = "";
    FILE *stream = fmemopen(text, sizeof(text), "w");
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_log_stream_redirect(NULL));
    CHECK_SUCCESS(doca_log_stream_redirect(stream));
    DOCA_LOG_INFO("number %d", 5);
    CHECK(strstr(text, "[DOCA][INF][TEST:") != NULL);
    CHECK(strstr(text, "]: number 5\n") != NULL);
    CHECK_SUCCESS(doca_log_stream_redirect(stderr));
    fclose(stream);
}

static sem_t in_record;
static sem_t record_may_end;

static ssize_t
write_slowly(void *cookie, const char *text, size_t size) {
    (void)cookie;
    (void)text;
    sem_post(&in_record);
    sem_wait(&record_may_end);
    return (ssize_t)size;
}

static void *
log_once(void *unused) {
    DOCA_LOG_INFO("of a thread");
    return unused;
}

/* A child can log that was forked while a thread was writing to the stream. */
static void
check_log_of_child(void) {
    FILE *stream = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_slowly});
    pthread_t thread;
    int status = -1;
    sem_init(&in_record, 0, 0);
    sem_init(&record_may_end, 0, 0);
    CHECK_SUCCESS(doca_log_stream_redirect(stream));
    pthread_create(&thread, NULL, log_once, NULL);
    sem_wait(&in_record);
    const pid_t child = fork();
    if (child == 0) {
        check_begin_child();
        alarm(20);
        sem_post(&record_may_end);
        DOCA_LOG_INFO("of a child");
        _exit(check_result());
    }
    CHECK_EQUAL(child, waitpid(child, &status, 0));
    CHECK_EQUAL(0, status);
    sem_post(&record_may_end);
    pthread_join(thread, NULL);
    CHECK_SUCCESS(doca_log_stream_redirect(stderr));
    fclose(stream);
}

static void
check_texts(void) {
    CHECK_STRING("DOCA_ERROR_UNEXPECTED", doca_get_error_name(DOCA_ERROR_UNEXPECTED));
    CHECK_STRING("Unrecognized error code", doca_get_error_name((doca_error_t)23));
}

int
main(void) {
    int exports;
    int end;
    const pid_t host = start_host(run_host, &exports, &end);
    check_log();
    check_log_of_child();
    check_texts();
    open_device();
    start_dma();
    check_chunks();
    check_stop_with_buffers();
    check_devices_change();
    check_repeated_job();
    check_jobs_beyond_depth();
    check_import(host, exports, end);
    stop_dma();
    CHECK_SUCCESS(doca_dev_close(dev));
    return check_result();
}
