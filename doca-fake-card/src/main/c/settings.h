/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CARD_SETTINGS_H
#define CARD_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

/* The card's settings from the environment; README.md explains each variable. Read once, constant afterwards. */
struct card_settings {
    int functions;
    bool infiniband;
    bool eswitch;
    bool crossing;
    bool dma_by_sq;
    bool dma_by_qp;
    int log_dma_size;
    int active_mtu;
    int refused_command;
    long poll_us;
    long batch;
    long retry_ms;
    long receiver_retry_ms;
    long failed_request;
    int failure_syndrome;
    int failure_vendor;
    bool forgiving;
    const char *directory;
};

const struct card_settings *card_settings(void);

#endif
