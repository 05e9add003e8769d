/* SPDX-License-Identifier: Apache-2.0 */
/* Programs may exit at any time, because the exit does not wait for the threads of the library. */
#include <semaphore.h>

#include "remote.h"

static sem_t logging;

/* A worker calls the program's function for log records, which never returns. */
static void
block(char *record) {
    (void)record;
    sem_post(&logging);
    for (;;) {
        pause();
    }
}

static void
exit_while_a_worker_logs(void) {
    static char record[1024];
    struct doca_log_backend *backend;
    set_up();
    struct remote remote = start_remote(PAGE, READ_WRITE);
    kill_peer(&remote.host);
    REQUIRE_SUCCESS(doca_log_backend_create_with_buf_sdk(record, sizeof(record), block, &backend));
    REQUIRE_SUCCESS(doca_log_backend_set_sdk_level(backend, DOCA_LOG_LEVEL_ERROR));
    dma = start_dma(1, 0);
    CHECK_SUCCESS(submit_task(alloc_task(dma, 1, remote_source(&remote, 0, 64), take_target(0, 64))));
    sem_wait(&logging);
}

int
main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "host") == 0) {
        return run_host();
    }
    sem_init(&logging, 0, 0);
    check_with_environment("DOCA_EMULATOR_ENGINE", "threaded", exit_while_a_worker_logs);
    return check_result();
}
