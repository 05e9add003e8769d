/* SPDX-License-Identifier: Apache-2.0 */
/* Back ends exist until the process ends, so every test that creates some has its own process. */
#include <doca_buf_inventory.h>
#include <doca_log.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <regex.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/syscall.h>

#include "forks.h"

static char buf[512];
static char records[4096];
static int num_records;

static void
keep_record(char *record) {
    CHECK_POINTER(buf, record);
    strncat(records, record, sizeof(records) - strlen(records) - 1);
    num_records++;
}

static void
forget_records(void) {
    records[0] = '\0';
    num_records = 0;
}

static int
register_source(void) {
    int source;
    REQUIRE_SUCCESS(doca_log_register_source("TEST", &source));
    return source;
}

#define LOG(level, ...) doca_log((level), source, "folder/log_test.c", 12, "test", __VA_ARGS__)

static void
a_record_has_the_form_of_the_sdk(void) {
    const int source = register_source();
    struct doca_log_backend *backend;
    REQUIRE_SUCCESS(doca_log_backend_create_with_buf(buf, sizeof(buf), keep_record, &backend));
    static const struct {
        uint32_t level;
        const char *tag;
    } levels[] = {
        {DOCA_LOG_LEVEL_CRIT, "CRT"}, {DOCA_LOG_LEVEL_ERROR, "ERR"}, {DOCA_LOG_LEVEL_WARNING, "WRN"},
        {DOCA_LOG_LEVEL_INFO, "INF"}, {DOCA_LOG_LEVEL_DEBUG, "DBG"}, {DOCA_LOG_LEVEL_TRACE, "TRC"},
    };
    CHECK_SUCCESS(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_TRACE));
    for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
        char pattern[256];
        regex_t regex;
        snprintf(pattern, sizeof(pattern),
                 "^\\[[0-2][0-9]:[0-5][0-9]:[0-6][0-9]:[0-9]{6}\\]\\[%d\\]\\[DOCA\\]\\[%s\\]"
                 "\\[log_test\\.c:12\\]\\[test\\] text 7\n$",
                 getpid(), levels[i].tag);
        forget_records();
        CHECK_SUCCESS(LOG(levels[i].level, "text %d", 7));
        CHECK_EQUAL(1, num_records);
        CHECK_EQUAL(0, regcomp(&regex, pattern, REG_EXTENDED));
        if (regexec(&regex, records, 0, NULL, 0) != 0) {
            CHECK_FAILED("\"%s\" does not match %s", records, pattern);
        }
        regfree(&regex);
    }
}

static void
limits_decide_what_is_written(void) {
    const int source = register_source();
    struct doca_log_backend *backend;
    CHECK_EQUAL(DOCA_LOG_LEVEL_INFO, doca_log_level_get_global_lower_limit());
    CHECK_EQUAL(DOCA_LOG_LEVEL_CRIT, doca_log_level_get_global_upper_limit());
    CHECK_EQUAL(DOCA_LOG_LEVEL_INFO, doca_log_level_get_global_sdk_limit());
    REQUIRE_SUCCESS(doca_log_backend_create_with_buf(buf, sizeof(buf), keep_record, &backend));

    CHECK_SUCCESS(LOG(DOCA_LOG_LEVEL_INFO, "a"));
    CHECK_SUCCESS(LOG(DOCA_LOG_LEVEL_DEBUG, "b"));
    CHECK_EQUAL(1, num_records);

    CHECK_SUCCESS(doca_log_backend_set_level_lower_limit(backend, DOCA_LOG_LEVEL_DEBUG));
    CHECK_SUCCESS(LOG(DOCA_LOG_LEVEL_DEBUG, "c"));
    CHECK_EQUAL(2, num_records);

    CHECK_SUCCESS(doca_log_backend_set_level_upper_limit(backend, DOCA_LOG_LEVEL_WARNING));
    CHECK_SUCCESS(LOG(DOCA_LOG_LEVEL_ERROR, "d"));
    CHECK_SUCCESS(LOG(DOCA_LOG_LEVEL_WARNING, "e"));
    CHECK_EQUAL(3, num_records);

    CHECK_SUCCESS(doca_log_level_set_global_upper_limit(DOCA_LOG_LEVEL_CRIT));
    CHECK_SUCCESS(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_ERROR));
    CHECK_EQUAL(DOCA_LOG_LEVEL_ERROR, doca_log_level_get_global_lower_limit());
    CHECK_SUCCESS(LOG(DOCA_LOG_LEVEL_ERROR, "f"));
    CHECK_SUCCESS(LOG(DOCA_LOG_LEVEL_WARNING, "g"));
    CHECK_EQUAL(4, num_records);

    CHECK_SUCCESS(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_DISABLE));
    CHECK_SUCCESS(LOG(DOCA_LOG_LEVEL_CRIT, "h"));
    CHECK_EQUAL(4, num_records);
}

static void
a_strict_limit_lets_no_more_through(void) {
    const int source = register_source();
    struct doca_log_backend *backend;
    REQUIRE_SUCCESS(doca_log_backend_create_with_buf(buf, sizeof(buf), keep_record, &backend));
    CHECK_SUCCESS(doca_log_backend_set_level_lower_limit_strict(backend));
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_log_backend_set_level_lower_limit(backend, DOCA_LOG_LEVEL_DEBUG));
    CHECK_SUCCESS(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_TRACE));
    CHECK_SUCCESS(LOG(DOCA_LOG_LEVEL_DEBUG, "a"));
    CHECK_EQUAL(0, num_records);
    CHECK_SUCCESS(doca_log_backend_set_level_lower_limit(backend, DOCA_LOG_LEVEL_WARNING));
    CHECK_SUCCESS(LOG(DOCA_LOG_LEVEL_INFO, "b"));
    CHECK_EQUAL(0, num_records);

    CHECK_SUCCESS(doca_log_backend_set_level_upper_limit(backend, DOCA_LOG_LEVEL_ERROR));
    CHECK_SUCCESS(doca_log_backend_set_level_upper_limit_strict(backend));
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_log_backend_set_level_upper_limit(backend, DOCA_LOG_LEVEL_CRIT));
    CHECK_SUCCESS(doca_log_level_set_global_upper_limit(DOCA_LOG_LEVEL_CRIT));
    CHECK_SUCCESS(LOG(DOCA_LOG_LEVEL_CRIT, "c"));
    CHECK_EQUAL(0, num_records);
    CHECK_SUCCESS(LOG(DOCA_LOG_LEVEL_ERROR, "d"));
    CHECK_EQUAL(1, num_records);
}

static void
provoke_an_sdk_error(void) {
    struct doca_buf_inventory *inventory;
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_inventory_create(0, &inventory));
}

static void
the_application_and_the_sdk_log_apart(void) {
    const int source = register_source();
    struct doca_log_backend *backend;
    struct doca_log_backend *sdk_backend;
    REQUIRE_SUCCESS(doca_log_backend_create_with_buf(buf, sizeof(buf), keep_record, &backend));
    provoke_an_sdk_error();
    CHECK_EQUAL(0, num_records);
    CHECK_SUCCESS(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_DISABLE));

    REQUIRE_SUCCESS(doca_log_backend_create_with_buf_sdk(buf, sizeof(buf), keep_record, &sdk_backend));
    CHECK_SUCCESS(LOG(DOCA_LOG_LEVEL_ERROR, "application"));
    CHECK_EQUAL(0, num_records);
    provoke_an_sdk_error();
    CHECK_EQUAL(1, num_records);
    CHECK(strstr(records, "[DOCA][ERR][buf_inventory.c:") != NULL);
    CHECK(strstr(records, "[doca_buf_inventory_create] Invalid input: a buf inventory of 0 elements") != NULL);

    CHECK_SUCCESS(doca_log_backend_set_sdk_level(sdk_backend, DOCA_LOG_LEVEL_CRIT));
    provoke_an_sdk_error();
    CHECK_EQUAL(1, num_records);
    CHECK_SUCCESS(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_ERROR));
    CHECK_EQUAL(DOCA_LOG_LEVEL_ERROR, doca_log_level_get_global_sdk_limit());
    provoke_an_sdk_error();
    CHECK_EQUAL(2, num_records);

    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_log_backend_set_sdk_level(backend, DOCA_LOG_LEVEL_INFO));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE,
                doca_log_backend_set_level_lower_limit(sdk_backend, DOCA_LOG_LEVEL_INFO));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_log_backend_set_level_lower_limit_strict(sdk_backend));
}

static void
arguments_are_checked(void) {
    const int source = register_source();
    struct doca_log_backend *backend;
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_log_backend_create_with_file(NULL, &backend));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_log_backend_create_with_file_sdk(stderr, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_log_backend_create_with_fd(-1, &backend));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_log_backend_create_with_buf(NULL, 8, keep_record, &backend));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_log_backend_create_with_buf(buf, 0, keep_record, &backend));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_log_backend_create_with_buf(buf, 8, NULL, &backend));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_log_backend_create_with_syslog(NULL, &backend));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_log_backend_set_level_lower_limit(NULL, DOCA_LOG_LEVEL_INFO));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_log_backend_set_level_upper_limit_strict(NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_log_level_set_global_lower_limit(55));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_log_level_set_global_upper_limit(0));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_log_level_set_global_sdk_limit(80));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, LOG(DOCA_LOG_LEVEL_DISABLE, "text"));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, LOG(31, "text"));

    int other;
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_log_register_source(NULL, &other));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_log_register_source("OTHER", NULL));
    CHECK_SUCCESS(doca_log_register_source("OTHER", &other));
    CHECK(other != source);
    CHECK_SUCCESS(doca_log_unregister_source(source));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_log_unregister_source(source));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_log_unregister_source(-1));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, LOG(DOCA_LOG_LEVEL_INFO, "of a source that is gone"));
}

/* Reads the content of the file from its start. */
static void
read_back(int fd, char *text, size_t size) {
    const ssize_t len = pread(fd, text, size - 1, 0);
    text[len < 0 ? 0 : len] = '\0';
}

static int
open_temporary(void) {
    char path[] = "/tmp/doca-emulator-log-XXXXXX";
    const int fd = mkstemp(path);
    unlink(path);
    return fd;
}

static void
files_and_descriptors_get_whole_lines(void) {
    const int source = register_source();
    const int fd = open_temporary();
    const int file_fd = open_temporary();
    FILE *file = fdopen(file_fd, "w");
    struct doca_log_backend *backend;
    char text[1024];
    REQUIRE_SUCCESS(doca_log_backend_create_with_fd(fd, &backend));
    REQUIRE_SUCCESS(doca_log_backend_create_with_file(file, &backend));
    CHECK_SUCCESS(LOG(DOCA_LOG_LEVEL_INFO, "one"));
    CHECK_SUCCESS(LOG(DOCA_LOG_LEVEL_INFO, "two"));
    read_back(fd, text, sizeof(text));
    CHECK(strstr(text, "[test] one\n[") != NULL);
    CHECK(strstr(text, "[test] two\n") == text + strlen(text) - strlen("[test] two\n"));
    read_back(file_fd, text, sizeof(text));
    CHECK(strstr(text, "[test] one\n[") != NULL);

    CHECK_SUCCESS(doca_log_backend_create_with_syslog("doca-emulator-test", &backend));
    CHECK_SUCCESS(doca_log_backend_create_with_syslog_sdk("doca-emulator-test", &backend));
}

/* In place of the function of libc, for a file that takes no bytes and reports no error. */
static int refusing_fd = -1;
ssize_t write(int fd, const void *bytes, size_t len) __attribute__((visibility("default")));

ssize_t
write(int fd, const void *bytes, size_t len) {
    return fd == refusing_fd ? 0 : syscall(SYS_write, fd, bytes, len);
}

static void
a_file_that_takes_nothing_ends_the_record(void) {
    const int source = register_source();
    struct doca_log_backend *backend;
    refusing_fd = open("/dev/null", O_WRONLY);
    REQUIRE_SUCCESS(doca_log_backend_create_with_fd(refusing_fd, &backend));
    CHECK_SUCCESS(LOG(DOCA_LOG_LEVEL_INFO, "lost"));
    close(refusing_fd);
}

static int
add_thread_memory(struct dl_phdr_info *library, size_t size, void *sum) {
    (void)size;
    for (int i = 0; i < library->dlpi_phnum; i++) {
        if (strstr(library->dlpi_name, "libdoca_") != NULL && library->dlpi_phdr[i].p_type == PT_TLS) {
            *(size_t *)sum += library->dlpi_phdr[i].p_memsz;
        }
    }
    return 0;
}

/* The stack of each thread of a program has room for the variables that the libraries have for each thread. */
static void
the_libraries_need_little_of_each_stack(void) {
    size_t sum = 0;
    dl_iterate_phdr(add_thread_memory, &sum);
    CHECK(sum > 0);
    CHECK(sum <= 128);
}

static void
the_standard_back_end_parts_by_severity(void) {
    const int source = register_source();
    const int out = open_temporary();
    const int err = open_temporary();
    const int stderr_before = dup(STDERR_FILENO);
    char text[1024];
    fflush(stdout);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    const doca_error_t result = doca_log_backend_create_standard();
    LOG(DOCA_LOG_LEVEL_DEBUG, "debug");
    LOG(DOCA_LOG_LEVEL_INFO, "info");
    LOG(DOCA_LOG_LEVEL_WARNING, "warning");
    LOG(DOCA_LOG_LEVEL_CRIT, "critical");
    doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_ERROR);
    LOG(DOCA_LOG_LEVEL_WARNING, "suppressed");
    doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_DEBUG);
    LOG(DOCA_LOG_LEVEL_DEBUG, "more");
    LOG(DOCA_LOG_LEVEL_WARNING, "again");
    dup2(stderr_before, STDERR_FILENO);

    CHECK_SUCCESS(result);
    read_back(out, text, sizeof(text));
    CHECK(strstr(text, "] info\n") != NULL);
    CHECK(strstr(text, "] more\n") != NULL);
    CHECK(strstr(text, "debug") == NULL && strstr(text, "warning") == NULL && strstr(text, "critical") == NULL);
    read_back(err, text, sizeof(text));
    CHECK(strstr(text, "] warning\n") != NULL);
    CHECK(strstr(text, "] critical\n") != NULL);
    CHECK(strstr(text, "] again\n") != NULL);
    CHECK(strstr(text, "info") == NULL && strstr(text, "suppressed") == NULL);
}

static void
a_long_record_is_cut(void) {
    const int source = register_source();
    struct doca_log_backend *backend;
    static char long_text[8192];
    memset(long_text, 'x', sizeof(long_text) - 1);
    REQUIRE_SUCCESS(doca_log_backend_create_with_buf(buf, sizeof(buf), keep_record, &backend));
    CHECK_SUCCESS(LOG(DOCA_LOG_LEVEL_INFO, "%s", long_text));
    CHECK_EQUAL(1, num_records);
    CHECK_EQUAL(sizeof(buf) - 1, strlen(records));
    CHECK_EQUAL('\n', records[sizeof(buf) - 2]);
    CHECK_EQUAL('x', records[sizeof(buf) - 3]);
}

static int handler_depth;
static int max_handler_depth;

static void
call_the_sdk_again(char *record) {
    (void)record;
    handler_depth++;
    max_handler_depth = handler_depth > max_handler_depth ? handler_depth : max_handler_depth;
    provoke_an_sdk_error();
    num_records++;
    handler_depth--;
}

static void
a_handler_may_call_the_sdk(void) {
    struct doca_log_backend *backend;
    REQUIRE_SUCCESS(doca_log_backend_create_with_buf_sdk(buf, sizeof(buf), call_the_sdk_again, &backend));
    provoke_an_sdk_error();
    provoke_an_sdk_error();
    CHECK_EQUAL(2, num_records);
    CHECK_EQUAL(1, max_handler_depth);
}

/* Deliberately not atomic: the back end's lock has to serialise the handlers. */
static int num_handled;

static void
check_whole_record(char *record) {
    const size_t len = strlen(record);
    CHECK(len > 0 && record[len - 1] == '\n' && strchr(record, '\n') == record + len - 1);
    num_handled++;
}

static void *
log_often(void *unused) {
    (void)unused;
    for (int i = 0; i < 500; i++) {
        provoke_an_sdk_error();
    }
    return NULL;
}

static void
threads_do_not_share_the_buffer(void) {
    struct doca_log_backend *backend;
    pthread_t threads[4];
    REQUIRE_SUCCESS(doca_log_backend_create_with_buf_sdk(buf, sizeof(buf), check_whole_record, &backend));
    for (size_t i = 0; i < 4; i++) {
        pthread_create(&threads[i], NULL, log_often, NULL);
    }
    for (size_t i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    CHECK_EQUAL(2000, num_handled);
}

/* Writing a record is a cancellation point of threads. */
static void *
log_when_cancelled(void *unused) {
    (void)unused;
    pthread_cancel(pthread_self());
    provoke_an_sdk_error();
    pthread_testcancel();
    return NULL;
}

static void
a_cancelled_thread_leaves_no_lock(void) {
    struct doca_log_backend *backend;
    pthread_t thread;
    void *result;
    const int fd = open("/dev/null", O_WRONLY);
    REQUIRE_SUCCESS(doca_log_backend_create_with_fd_sdk(fd, &backend));
    pthread_create(&thread, NULL, log_when_cancelled, NULL);
    pthread_join(thread, &result);
    CHECK(result == PTHREAD_CANCELED);
    provoke_an_sdk_error();
    close(fd);
}

static sem_t in_record;
static sem_t record_may_end;

static void
take_record_slowly(char *record) {
    (void)record;
    sem_post(&in_record);
    sem_wait(&record_may_end);
}

static void *
log_once(void *unused) {
    (void)unused;
    provoke_an_sdk_error();
    return NULL;
}

static void
log_meanwhile(void *unused) {
    (void)unused;
    sem_post(&record_may_end);
    provoke_an_sdk_error();
}

static void
a_child_can_log_that_was_forked_during_a_record(void) {
    struct doca_log_backend *backend;
    pthread_t thread;
    sem_init(&in_record, 0, 0);
    sem_init(&record_may_end, 0, 0);
    REQUIRE_SUCCESS(doca_log_backend_create_with_buf_sdk(buf, sizeof(buf), take_record_slowly, &backend));
    pthread_create(&thread, NULL, log_once, NULL);
    sem_wait(&in_record);
    check_in_child(log_meanwhile, NULL);
    sem_post(&record_may_end);
    pthread_join(thread, NULL);
}

static void
children_can_log_that_were_forked_while_the_sdk_logs(void) {
    struct doca_log_backend *backend;
    const int fd = open("/dev/null", O_WRONLY);
    REQUIRE_SUCCESS(doca_log_backend_create_with_fd_sdk(fd, &backend));
    check_children_can(provoke_an_sdk_error);
    close(fd);
}

static int shared_source;

static void
log_of_shared_source(void) {
    CHECK_SUCCESS(doca_log(DOCA_LOG_LEVEL_INFO, shared_source, "log_test.c", 12, "test", "text"));
}

static void
children_can_log_that_were_forked_while_the_program_logs(void) {
    struct doca_log_backend *backend;
    const int fd = open("/dev/null", O_WRONLY);
    shared_source = register_source();
    REQUIRE_SUCCESS(doca_log_backend_create_with_fd(fd, &backend));
    check_children_can(log_of_shared_source);
    close(fd);
}

static pthread_mutex_t lock_of_syslog = PTHREAD_MUTEX_INITIALIZER;
static unsigned int num_syslog_records;

static void
count_syslog_record(void) {
    pthread_mutex_lock(&lock_of_syslog);
    num_syslog_records++;
    sched_yield();
    pthread_mutex_unlock(&lock_of_syslog);
}

/*
 * Both replace functions of libc, which would write to the log of the machine. As in libc, their lock stays locked in a
 * child that is forked while another thread holds it. Fortified libraries call the second function.
 */
void syslog(int priority, const char *format, ...) __attribute__((visibility("default")));
void __syslog_chk(int priority, int flag, const char *format, ...) __attribute__((visibility("default")));

void
syslog(int priority, const char *format, ...) {
    (void)priority;
    (void)format;
    count_syslog_record();
}

void
__syslog_chk(int priority, int flag, const char *format, ...) {
    (void)priority;
    (void)flag;
    (void)format;
    count_syslog_record();
}

static void
children_can_log_that_were_forked_during_a_call_of_syslog(void) {
    struct doca_log_backend *backend;
    REQUIRE_SUCCESS(doca_log_backend_create_with_syslog_sdk("doca-emulator-test", &backend));
    check_children_can(provoke_an_sdk_error);
    CHECK(num_syslog_records > 0);
}

static void
there_is_a_highest_number_of_back_ends(void) {
    struct doca_log_backend *backend;
    const int fd = open("/dev/null", O_WRONLY);
    const uint32_t max = doca_log_get_max_num_backends();
    CHECK_EQUAL(max, doca_log_get_max_num_backends_sdk());
    for (uint32_t i = 0; i < max; i++) {
        CHECK_SUCCESS(doca_log_backend_create_with_fd(fd, &backend));
    }
    CHECK_ERROR(DOCA_ERROR_FULL, doca_log_backend_create_with_fd(fd, &backend));
    CHECK_ERROR(DOCA_ERROR_FULL, doca_log_backend_create_with_syslog("doca-emulator-test", &backend));
    CHECK_ERROR(DOCA_ERROR_FULL, doca_log_backend_create_standard());
    CHECK_SUCCESS(doca_log_backend_create_with_fd_sdk(fd, &backend));
    close(fd);
}

int
main(void) {
    static void (*const tests[])(void) = {
        a_record_has_the_form_of_the_sdk,
        limits_decide_what_is_written,
        a_strict_limit_lets_no_more_through,
        the_application_and_the_sdk_log_apart,
        arguments_are_checked,
        files_and_descriptors_get_whole_lines,
        a_file_that_takes_nothing_ends_the_record,
        the_libraries_need_little_of_each_stack,
        the_standard_back_end_parts_by_severity,
        a_long_record_is_cut,
        a_handler_may_call_the_sdk,
        threads_do_not_share_the_buffer,
        a_cancelled_thread_leaves_no_lock,
        a_child_can_log_that_was_forked_during_a_record,
        children_can_log_that_were_forked_while_the_sdk_logs,
        children_can_log_that_were_forked_while_the_program_logs,
        children_can_log_that_were_forked_during_a_call_of_syslog,
        there_is_a_highest_number_of_back_ends,
    };
    for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
        check_with_environment("TZ", "UTC", tests[i]);
    }
    return check_result();
}
