/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The second process of a case runs this program again, started by exec, so that the library is initialised anew. The
 * two exchange messages over a socket that keeps message boundaries.
 */
#ifndef CONFORMANCE_PEER_H_
#define CONFORMANCE_PEER_H_

#include <stddef.h>

#include "rule.h"

/* The descriptor of the socket in the second process. */
#define PEER_SOCKET 3

/* Starts the second process of a rule. It is killed when this one ends. */
void start_peer(const struct rule *rule);

/* Runs the second process. Does not return. */
_Noreturn void run_peer(const struct rule *rule);

/* Sends a message to the other process of the case. */
void send_to_peer(const void *message, size_t length);

/* Receives a message of the other process and returns its length. Ends the case if the process has ended. */
size_t receive_from_peer(void *message, size_t size);

/* Sends a message without content. */
void signal_peer(void);
void await_peer(void);

/* Kills the second process without notice, and waits for its end. */
void kill_peer(void);

#endif /* CONFORMANCE_PEER_H_ */
