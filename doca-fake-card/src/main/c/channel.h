/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CARD_CHANNEL_H
#define CARD_CHANNEL_H

#include <stdint.h>

struct card_channel;

/* Raises an event, which a program reads as its cookie. Nothing happens without a channel. */
void card_raise(struct card_channel *channel, uint64_t cookie);

#endif
