/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <unistd.h>

#include "fixture.h"

#define THEME "errors, version, log"

RULE(error_names, "The name of a result is that of its constant.", .source = OBSERVED_2_5, .answer = "yes") {
    /* The first release with a progress engine has 27 of them. */
    bool same = true;
    for (int code = 0; code <= 27; code++) {
        const char *name = doca_error_get_name(code);
        const char *expected = code_name(code);
        const size_t prefix = code == 0 ? strlen("DOCA_") : strlen("DOCA_ERROR_");
        same = same && strlen(name) > prefix && strcmp(name + prefix, expected) == 0;
    }
    answer_flag(same);
}

RULE(error_descriptions, "Each result has a description, two of which are known from programs in the field.",
     .source = OBSERVED_3_0, .answer = "Invalid input, Operation not permitted") {
    answer("%s", doca_error_get_descr(DOCA_ERROR_INVALID_VALUE));
    answer("%s", doca_error_get_descr(DOCA_ERROR_NOT_PERMITTED));
}

RULE(error_unknown, "An unknown number has a name and a description too.", .source = OBSERVED_2_5,
     .answer = "yes, yes") {
    answer_flag(doca_error_get_name(4711) != NULL);
    answer_flag(doca_error_get_descr(4711) != NULL);
}

RULE(version_text, "The version is major, minor and a patch of four digits.", .source = OBSERVED_2_5, .answer = "yes") {
    const char *version = doca_version_runtime();
    unsigned major;
    unsigned minor;
    unsigned patch;
    int length = 0;
    const int fields = sscanf(version, "%u.%u.%4u%n", &major, &minor, &patch, &length);
    answer_flag(fields == 3 && length == (int)strlen(version));
}

static FILE *log_file;

static size_t
logged_bytes(void) {
    fflush(log_file);
    return (size_t)ftell(log_file);
}

RULE(log_sdk_silent, "Without an SDK backend the libraries write nothing.", .source = OBSERVED_2_5,
     .answer = "BAD_STATE, nothing") {
    map_memory();
    create_engine();
    fflush(stdout);
    fflush(stderr);
    char name[] = "/tmp/conformance-XXXXXX";
    const int file = mkstemp(name);
    REQUIRE(file >= 0 ? DOCA_SUCCESS : DOCA_ERROR_OPERATING_SYSTEM);
    (void)unlink(name);
    (void)dup2(file, 1);
    (void)dup2(file, 2);
    struct doca_dma *dma = configure_dma(4);
    struct doca_dma_task_memcpy *task;
    CODE(doca_dma_task_memcpy_alloc_init(dma, source(0, 64), target(4096, 64), data_of(0), &task));
    answer("%s", lseek(file, 0, SEEK_CUR) == 0 ? "nothing" : "something");
}

RULE(log_sdk_file, "With an SDK backend the libraries log a call in a wrong state.", .source = OBSERVED_3_0,
     .answer = "SUCCESS, SUCCESS, BAD_STATE, something") {
    log_file = tmpfile();
    struct doca_log_backend *backend;
    CODE(doca_log_backend_create_with_file_sdk(log_file, &backend));
    CODE(doca_log_backend_set_sdk_level(backend, DOCA_LOG_LEVEL_ERROR));
    struct doca_dma *dma = configure_dma(4);
    struct doca_dma_task_memcpy *task;
    const size_t before = logged_bytes();
    CODE(doca_dma_task_memcpy_alloc_init(dma, source(0, 64), target(4096, 64), data_of(0), &task));
    answer("%s", logged_bytes() > before ? "something" : "nothing");
}

RULE(log_sdk_level, "A backend with the level DISABLE gets nothing.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, BAD_STATE, nothing") {
    log_file = tmpfile();
    struct doca_log_backend *backend;
    REQUIRE(doca_log_backend_create_with_file_sdk(log_file, &backend));
    CODE(doca_log_backend_set_sdk_level(backend, DOCA_LOG_LEVEL_DISABLE));
    struct doca_dma *dma = configure_dma(4);
    struct doca_dma_task_memcpy *task;
    CODE(doca_dma_task_memcpy_alloc_init(dma, source(0, 64), target(4096, 64), data_of(0), &task));
    answer("%s", logged_bytes() > 0 ? "something" : "nothing");
}

RULE(log_application_separate, "Records of the application do not go to the SDK's backend.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, SUCCESS, nothing") {
    log_file = tmpfile();
    struct doca_log_backend *backend;
    REQUIRE(doca_log_backend_create_with_file_sdk(log_file, &backend));
    int log_source = -1;
    CODE(doca_log_register_source("CONFORMANCE", &log_source));
    CODE(doca_log(DOCA_LOG_LEVEL_ERROR, log_source, "a.c", 1, "f", "text"));
    answer("%s", logged_bytes() > 0 ? "something" : "nothing");
}

RULE(log_application_file, "A backend of the application gets its records.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, SUCCESS, SUCCESS, something") {
    log_file = tmpfile();
    struct doca_log_backend *backend;
    CODE(doca_log_backend_create_with_file(log_file, &backend));
    int log_source = -1;
    CODE(doca_log_register_source("CONFORMANCE", &log_source));
    CODE(doca_log(DOCA_LOG_LEVEL_ERROR, log_source, "a.c", 1, "f", "text"));
    answer("%s", logged_bytes() > 0 ? "something" : "nothing");
}

RULE(log_backend_arguments, "A backend needs a file and a result pointer.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE, INVALID_VALUE") {
    struct doca_log_backend *backend;
    CODE(doca_log_backend_create_with_file_sdk(NULL, &backend));
    CODE(doca_log_backend_create_with_file_sdk(stderr, NULL));
}
