/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "log.h"

/* Both are set once and constant afterwards; stdio has a lock of its own. */
static FILE *output;
static int most;
static pthread_once_t log_once = PTHREAD_ONCE_INIT;

static void
open_log(void) {
    const char *file = getenv("FAKE_CARD_LOG");
    const char *level = getenv("FAKE_CARD_LOG_LEVEL");
    output = file == NULL ? NULL : fopen(file, "ae");
    if (output == NULL) {
        output = stderr;
    }
    setvbuf(output, NULL, _IOLBF, 0);
    most = level == NULL ? CARD_LOG_FAULTS : atoi(level);
}

void
card_log(enum card_log_level level, const char *format, ...) {
    pthread_once(&log_once, open_log);
    if ((int)level > most) {
        return;
    }
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    fprintf(output, "fake card: %s\n", line);
}
