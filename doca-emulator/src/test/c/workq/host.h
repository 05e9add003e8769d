/* SPDX-License-Identifier: Apache-2.0 */
/* A process of the host that exports memory to the test. */
#ifndef DOCA_EMULATOR_WORKQ_HOST_H_
#define DOCA_EMULATOR_WORKQ_HOST_H_

#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

/* Declared as in programs. */
doca_error_t doca_emulator_configure(const char *role, const char *topology_path, const char *engine);

/* Forks a process that runs the function with a descriptor to write exports to, and one to read when it has to end. */
static inline pid_t
start_host(void (*run)(int exports, int end), int *exports, int *end) {
    int export_pipe[2];
    int end_pipe[2];
    fflush(NULL);
    if (pipe(export_pipe) != 0 || pipe(end_pipe) != 0) {
        perror("pipe");
        exit(EXIT_FAILURE);
    }
    const pid_t child = fork();
    if (child == 0) {
        /* The libraries have read the environment already. */
        CHECK_SUCCESS(doca_emulator_configure("host", NULL, NULL));
        run(export_pipe[1], end_pipe[0]);
        exit(check_result());
    }
    *exports = export_pipe[0];
    *end = end_pipe[1];
    return child;
}

/* Sends an export to the test, and waits until the test has copied. */
static inline void
offer_export(int exports, int end, const void *export, size_t len) {
    char byte;
    CHECK_EQUAL(sizeof(len), write(exports, &len, sizeof(len)));
    CHECK_EQUAL(len, write(exports, export, len));
    CHECK_EQUAL(1, read(end, &byte, 1));
}

/* Stores the export that the host offers, and returns its length. */
static inline size_t
receive_export(int exports, uint8_t *export, size_t room) {
    size_t len = 0;
    CHECK_EQUAL(sizeof(len), read(exports, &len, sizeof(len)));
    CHECK(len <= room);
    CHECK_EQUAL(len, read(exports, export, len));
    return len;
}

/* Ends the host, which must exit without a failed check. */
static inline void
end_host(pid_t host, int end) {
    int status = -1;
    CHECK_EQUAL(1, write(end, "", 1));
    CHECK_EQUAL(host, waitpid(host, &status, 0));
    CHECK_EQUAL(0, status);
}

#endif /* DOCA_EMULATOR_WORKQ_HOST_H_ */
