/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CARD_COPY_H
#define CARD_COPY_H

#include <stddef.h>
#include <stdint.h>

#include "qp.h"

/*
 * Executes the next request of a send queue, a copy by the DMA engine. Returns 0 or a syndrome. Call it with
 * card_lock() held.
 */
int card_copy(const struct card_qp *qp, uint32_t *bytes);

#endif
