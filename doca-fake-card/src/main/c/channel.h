/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CARD_CHANNEL_H
#define CARD_CHANNEL_H

#include <stdint.h>

struct card_channel;
struct card_cq;

/* Raises the event of a completion queue, unless it is raised and not read. With card_lock() held; needs a channel. */
void card_raise(struct card_cq *cq);

/* Withdraws an unread event of a completion queue, with card_lock() held. */
void card_take_back(struct card_cq *cq);

#endif
