/* SPDX-License-Identifier: Apache-2.0 */
/* Registered memory: what the start of a map refuses, and copies whose memory is lost later. */
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "dma_fixture.h"

#define PAGE ((size_t)4096)
/* Its pages do not become resident. */
#define LARGE ((size_t)256 << 20)

static uint8_t *
map_pages(size_t len, int protection) {
    uint8_t *pages = mmap(NULL, len, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED) {
        perror("mmap");
        exit(EXIT_FAILURE);
    }
    return pages;
}

static uint8_t *
map_file(int fd, size_t len, int protection, int flags) {
    uint8_t *pages = mmap(NULL, len, protection, flags, fd, 0);
    if (pages == MAP_FAILED) {
        perror("mmap");
        exit(EXIT_FAILURE);
    }
    return pages;
}

/* Returns the result of a start; a map that was started is destroyed. */
static doca_error_t
try_start(void *addr, size_t len, uint32_t permissions) {
    struct doca_mmap *mmap = create_mmap(addr, len, dev);
    REQUIRE_SUCCESS(doca_mmap_set_permissions(mmap, permissions));
    const doca_error_t result = doca_mmap_start(mmap);
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
    return result;
}

static void
check_refused(void *addr, size_t len, uint32_t permissions, const void *place, const char *reason) {
    char text[256];
    CHECK_ERROR(DOCA_ERROR_DRIVER, try_start(addr, len, permissions));
    snprintf(text, sizeof(text), reason, place);
    check_logged(text);
}

static void
memory_must_have_the_protection(size_t len) {
    uint8_t *pages = map_pages(len, PROT_READ);
    CHECK_SUCCESS(try_start(pages, len, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY));
    CHECK_SUCCESS(try_start(pages, len, DOCA_ACCESS_FLAG_PCI_READ_ONLY));
    check_refused(pages + 8, len - 16, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, pages,
                  "the memory at %p has the protection r--, and read and write access needs rw-");
    check_refused(pages, len, DOCA_ACCESS_FLAG_PCI_READ_WRITE, pages, "the memory at %p has the protection r--");
    CHECK_EQUAL(0, mprotect(pages + len - PAGE, PAGE, PROT_NONE));
    check_refused(pages, len, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY, pages + len - PAGE,
                  "the memory at %p has the protection ---, and read access needs r--");
    CHECK_SUCCESS(try_start(pages, len - PAGE, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY));
    CHECK_EQUAL(0, munmap(pages, len));
}

static void
memory_must_be_mapped(size_t len) {
    uint8_t *pages = map_pages(len + 2 * PAGE, PROT_READ | PROT_WRITE);
    /* No other thread can map these pages meanwhile. */
    CHECK_EQUAL(0, munmap(pages + PAGE, PAGE));
    check_refused(pages + PAGE, len, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, pages + PAGE, "no memory is mapped at %p");
    check_refused(pages, len, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY, pages + PAGE, "no memory is mapped at %p");
    CHECK_SUCCESS(try_start(pages, PAGE, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
    CHECK_SUCCESS(try_start(pages + 2 * PAGE, len, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
    CHECK_EQUAL(0, munmap(pages, len + 2 * PAGE));
}

static void
a_mapping_must_not_exceed_its_file(size_t len) {
    const int fd = memfd_create("short", MFD_CLOEXEC);
    CHECK_EQUAL(0, ftruncate(fd, (off_t)(len - 2 * PAGE)));
    uint8_t *pages = map_file(fd, len, PROT_READ | PROT_WRITE, MAP_SHARED);
    check_refused(pages, len, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, pages + len - 2 * PAGE,
                  "the memory at %p, with the protection rw-, is behind the end of the mapped file or of a device");
    check_refused(pages, len, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY, pages + len - 2 * PAGE, "the memory at %p");
    CHECK_SUCCESS(try_start(pages, len - 2 * PAGE, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
    CHECK_EQUAL(0, munmap(pages, len));
    close(fd);
}

static void
a_start_changes_no_content(size_t len) {
    const int fd = memfd_create("content", MFD_CLOEXEC);
    CHECK_EQUAL(0, ftruncate(fd, (off_t)len));
    CHECK_EQUAL(1, pwrite(fd, "x", 1, (off_t)(len - 1)));
    uint8_t *private_pages = map_file(fd, len, PROT_READ | PROT_WRITE, MAP_PRIVATE);
    uint8_t *empty_pages = map_pages(len, PROT_READ | PROT_WRITE);
    CHECK_SUCCESS(try_start(private_pages, len, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
    CHECK_SUCCESS(try_start(empty_pages, len, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
    CHECK_EQUAL('x', private_pages[len - 1]);
    for (size_t i = 0; i < len; i += len / 16) {
        CHECK_EQUAL(0, private_pages[i]);
        CHECK_EQUAL(0, empty_pages[i]);
    }
    CHECK_EQUAL(0, munmap(private_pages, len));
    CHECK_EQUAL(0, munmap(empty_pages, len));
    close(fd);
}

/*
 * Copies
 */

static doca_error_t
copy(struct doca_mmap *dst_map, uint8_t *dst, struct doca_mmap *src_map, uint8_t *src, size_t len) {
    struct doca_dma *dma = start_dma(1, 0);
    struct doca_buf *src_buf = data_of(src_map, src, len);
    struct doca_buf *dst_buf = space_of(dst_map, dst, len);
    struct doca_dma_task_memcpy *task = alloc_task(dma, 0, src_buf, dst_buf);
    REQUIRE_SUCCESS(submit_task(task));
    progress_to_event(1);
    const doca_error_t status = events[0].status;
    free_task(task);
    GIVE_BACK(src_buf, dst_buf);
    end_dma(dma);
    return status;
}

static void
memory_that_is_lost_later_fails_the_copy(void) {
    uint8_t *pages = map_pages(2 * PAGE, PROT_READ | PROT_WRITE);
    struct doca_mmap *map = start_mmap(pages, 2 * PAGE, dev);
    CHECK_SUCCESS(copy(map, pages, memory_map, memory, 2 * PAGE));
    CHECK_EQUAL(0, memcmp(memory, pages, 2 * PAGE));

    CHECK_EQUAL(0, mprotect(pages + PAGE, PAGE, PROT_READ));
    CHECK_SUCCESS(copy(memory_map, memory, map, pages, 2 * PAGE));
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, copy(map, pages, memory_map, memory, 2 * PAGE));
    check_cause("was registered but cannot be accessed any more");
    /* The address stays taken, as another thread could map memory there. */
    CHECK_EQUAL(0, mprotect(pages + PAGE, PAGE, PROT_NONE));
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, copy(memory_map, memory, map, pages + PAGE, 64));
    check_cause("was registered but cannot be accessed any more");
    CHECK_SUCCESS(copy(memory_map, memory, map, pages, PAGE));
    check_nothing_logged();
    CHECK_SUCCESS(doca_mmap_destroy(map));
    CHECK_EQUAL(0, munmap(pages, 2 * PAGE));
}

static void
a_file_that_becomes_shorter_fails_the_copy(void) {
    const int fd = memfd_create("shortened", MFD_CLOEXEC);
    CHECK_EQUAL(0, ftruncate(fd, PAGE));
    uint8_t *pages = map_file(fd, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED);
    struct doca_mmap *map = start_mmap(pages, PAGE, dev);
    CHECK_EQUAL(0, ftruncate(fd, 0));
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, copy(memory_map, memory, map, pages, 64));
    check_cause("was registered but cannot be accessed any more");
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, copy(map, pages, memory_map, memory, PAGE));
    check_cause("was registered but cannot be accessed any more");
    CHECK_SUCCESS(doca_mmap_destroy(map));
    CHECK_EQUAL(0, munmap(pages, PAGE));
    close(fd);
}

/*
 * Other faults
 */

static sigjmp_buf recovery;
static const void *volatile fault_address;

static void
keep_fault(int number, siginfo_t *info, void *context) {
    (void)number;
    (void)context;
    fault_address = info->si_addr;
    siglongjmp(recovery, 1);
}

/* The program's handler was installed before the one of the emulator, as that of a JVM is. */
static void
faults_of_the_program_reach_its_handler(void) {
    struct sigaction action = {.sa_sigaction = keep_fault, .sa_flags = SA_SIGINFO};
    sigset_t blocked;
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGUSR1);
    CHECK_EQUAL(0, sigaction(SIGSEGV, &action, NULL));
    set_up();
    volatile uint8_t *page = map_pages(PAGE, PROT_NONE);
    if (sigsetjmp(recovery, 1) == 0) {
        (void)page[7];
        CHECK_FAILED("an inaccessible page was read");
    }
    CHECK_POINTER((const void *)(page + 7), fault_address);
    CHECK_EQUAL(0, sigprocmask(SIG_BLOCK, NULL, &blocked));
    CHECK_EQUAL(0, sigismember(&blocked, SIGUSR1));
    memory_that_is_lost_later_fails_the_copy();
    CHECK_EQUAL(0, munmap((void *)page, PAGE));
    tear_down();
}

static void
fault_by_itself(void *unused) {
    (void)unused;
    signal(SIGSEGV, SIG_DFL);
    struct rlimit no_core = {0};
    setrlimit(RLIMIT_CORE, &no_core);
    set_up();
    (void)*(volatile uint8_t *)map_pages(PAGE, PROT_NONE);
}

static void
be_signalled(void *unused) {
    (void)unused;
    signal(SIGSEGV, SIG_DFL);
    struct rlimit no_core = {0};
    setrlimit(RLIMIT_CORE, &no_core);
    set_up();
    raise(SIGSEGV);
}

/* Without a handler of the program, the signal ends it as before. */
static void
check_is_ended_by_the_signal(void (*act)(void *unused)) {
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        check_begin_child();
        act(NULL);
        _exit(EXIT_SUCCESS);
    }
    CHECK_EQUAL(child, waitpid(child, &status, 0));
    CHECK(WIFSIGNALED(status));
    CHECK_EQUAL(SIGSEGV, WTERMSIG(status));
}

/*
 * The limit
 */

static void
the_limit_of_locked_memory_counts(void) {
    const struct rlimit limit = {.rlim_cur = MEMORY_SIZE + 3 * PAGE, .rlim_max = RLIM_INFINITY};
    char text[256];
    CHECK_EQUAL(0, setrlimit(RLIMIT_MEMLOCK, &(struct rlimit){.rlim_cur = limit.rlim_cur, .rlim_max = limit.rlim_cur}));
    set_up();
    uint8_t *pages = map_pages(3 * PAGE, PROT_READ | PROT_WRITE);
    const bool is_aligned = (uintptr_t)memory % PAGE == 0;
    const size_t locked = is_aligned ? MEMORY_SIZE : MEMORY_SIZE + PAGE;
    CHECK_SUCCESS(try_start(pages, 2 * PAGE, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
    struct doca_mmap *map = start_mmap(pages + PAGE - 1, 2, dev);
    CHECK_ERROR(DOCA_ERROR_NO_MEMORY, try_start(pages, 2 * PAGE, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY));
    snprintf(text, sizeof(text), "%zu bytes and the %zu that are registered exceed RLIMIT_MEMLOCK, which is %zu",
             2 * PAGE, locked + 2 * PAGE, MEMORY_SIZE + 3 * PAGE);
    check_logged(text);
    CHECK_SUCCESS(doca_mmap_stop(map));
    CHECK_SUCCESS(try_start(pages, 2 * PAGE, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY));
    CHECK_SUCCESS(doca_mmap_start(map));
    CHECK_SUCCESS(doca_mmap_destroy(map));
    CHECK_SUCCESS(try_start(pages, 2 * PAGE, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY));
    tear_down();
    CHECK_EQUAL(0, munmap(pages, 3 * PAGE));
}

static void
copies_fail(void) {
    set_up();
    memory_that_is_lost_later_fails_the_copy();
    a_file_that_becomes_shorter_fails_the_copy();
    tear_down();
}

int
main(void) {
    check_with_engines(copies_fail);
    check_with_environment("DOCA_EMULATOR_ENGINE", "inline", faults_of_the_program_reach_its_handler);
    check_is_ended_by_the_signal(fault_by_itself);
    check_is_ended_by_the_signal(be_signalled);
    check_with_environment("DOCA_EMULATOR_MEMLOCK", "1", the_limit_of_locked_memory_counts);

    set_up();
    static const size_t lengths[] = {4 * PAGE, LARGE};
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        memory_must_have_the_protection(lengths[i]);
        memory_must_be_mapped(lengths[i]);
        a_mapping_must_not_exceed_its_file(lengths[i]);
        a_start_changes_no_content(lengths[i]);
    }
    tear_down();
    return check_result();
}
