/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

#include "settings.h"

static struct card_settings settings;
static pthread_once_t settings_once = PTHREAD_ONCE_INIT;

static long
setting(const char *name, long otherwise, long least, long most) {
    const char *text = getenv(name);
    if (text == NULL || *text == '\0') {
        return otherwise;
    }
    char *end;
    const long value = strtol(text, &end, 0);
    if (*end != '\0' || value < least || value > most) {
        fprintf(stderr, "fake card: %s=%s is not a number from %ld to %ld\n", name, text, least, most);
        exit(1);
    }
    return value;
}

static void
read_failure(void) {
    const char *text = getenv("FAKE_CARD_FAIL");
    settings.failure_syndrome = 0x04;
    settings.failure_vendor = 0x68;
    if (text != NULL &&
        (sscanf(text, "%li:%i:%i", &settings.failed_request, &settings.failure_syndrome, &settings.failure_vendor) < 1 ||
         settings.failed_request < 1)) {
        fprintf(stderr, "fake card: FAKE_CARD_FAIL=%s is not NUMBER:SYNDROME:VENDOR\n", text);
        exit(1);
    }
}

/* The path of a socket in the folder must fit into an address. */
#define MAX_DIRECTORY (sizeof(((struct sockaddr_un *)NULL)->sun_path) - sizeof("/socket-4294967295"))

static void
read_directory(void) {
    static char own[64];
    settings.directory = getenv("FAKE_CARD_DIR");
    if (settings.directory != NULL && strlen(settings.directory) > MAX_DIRECTORY) {
        fprintf(stderr, "fake card: FAKE_CARD_DIR=%s has more than %zu characters\n", settings.directory, MAX_DIRECTORY);
        exit(1);
    }
    if (settings.directory == NULL) {
        snprintf(own, sizeof(own), "/tmp/fake-card-%u", (unsigned int)getuid());
        settings.directory = own;
    }
}

static void
read_settings(void) {
    settings.functions = (int)setting("FAKE_CARD_FUNCTIONS", 2, 1, 2);
    settings.infiniband = setting("FAKE_CARD_INFINIBAND", 0, 0, 1);
    settings.eswitch = setting("FAKE_CARD_ESWITCH", 0, 0, 1);
    settings.crossing = setting("FAKE_CARD_CROSSING", 1, 0, 1);
    settings.dma_by_sq = setting("FAKE_CARD_DMA_SQ", 1, 0, 1);
    settings.dma_by_qp = setting("FAKE_CARD_DMA_QP", 1, 0, 1);
    settings.log_dma_size = (int)setting("FAKE_CARD_LOG_DMA_SIZE", 21, 0, 31);
    settings.active_mtu = (int)setting("FAKE_CARD_MTU", 3, 1, 5);
    settings.refused_command = (int)setting("FAKE_CARD_REFUSE", 0, 0, 0xffff);
    settings.poll_us = setting("FAKE_CARD_POLL_US", 50, 0, 1000000);
    settings.batch = setting("FAKE_CARD_BATCH", 1, 1, 1 << 16);
    settings.retry_ms = setting("FAKE_CARD_RETRY_MS", 1000, 0, 3600000);
    settings.receiver_retry_ms = setting("FAKE_CARD_RECEIVER_RETRY_MS", 100, 0, 3600000);
    settings.forgiving = setting("FAKE_CARD_FORGIVE", 0, 0, 1);
    read_failure();
    read_directory();
}

const struct card_settings *
card_settings(void) {
    pthread_once(&settings_once, read_settings);
    return &settings;
}
