/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CARD_CAPABILITIES_H
#define CARD_CAPABILITIES_H

#include <stddef.h>

/* Answers a CARD_QUERY_HCA_CAP command: the capabilities of a function of the card. */
void card_query_capabilities(int function, const void *in, void *out, size_t out_size);

/* Answers a CARD_QUERY_NIC_VPORT_CONTEXT command: the MAC address of a function. */
void card_query_vport(int function, void *out, size_t out_size);

#endif
