/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CARD_CAPABILITIES_H
#define CARD_CAPABILITIES_H

#include <stddef.h>

/* Answers a CARD_QUERY_HCA_CAP command: what a function of the card can do. */
void card_query_capabilities(int function, const void *in, void *out, size_t out_size);

#endif
