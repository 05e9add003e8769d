/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FAKE_CARD_H
#define FAKE_CARD_H

/*
 * What tests in C may tell the fake card of their process. libmlx5.so.1 has these functions; find them by dlsym(), which
 * finds none on a machine with a card. Any thread may call them.
 */

#ifdef __cplusplus
extern "C" {
#endif

/* Makes the card execute nothing until it is called with 0. When it returns, nothing is being executed. */
void fake_card_hold(int hold);

/* Lets the card execute so many requests more; -1, the default, is no limit. */
void fake_card_budget(long requests);

/* Fails a request, counting from 1 those that are executed from now on, with what its completion says; 0 for none. */
void fake_card_fail(long request, int syndrome, int vendor);

/* How many requests the card has executed. */
long fake_card_executed(void);

#ifdef __cplusplus
}
#endif

#endif
