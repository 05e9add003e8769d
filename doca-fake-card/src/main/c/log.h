/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CARD_LOG_H
#define CARD_LOG_H

enum card_log_level {
    /* Mistakes of a program that the card detects. */
    CARD_LOG_FAULTS,
    /* Commands. */
    CARD_LOG_COMMANDS,
    /* Work requests and completions. */
    CARD_LOG_REQUESTS,
};

/* Writes a line to FAKE_CARD_LOG, or to standard error, if FAKE_CARD_LOG_LEVEL includes the level. */
void card_log(enum card_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
