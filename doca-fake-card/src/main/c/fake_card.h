/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FAKE_CARD_H
#define FAKE_CARD_H

/*
 * Functions by which tests in C control the fake card of their process. libmlx5.so.1 has them; look them up by
 * dlsym(), which finds none on a machine with a card. Any thread may call them.
 */

#ifdef __cplusplus
extern "C" {
#endif

/* Makes the card execute nothing until it is called with 0. No request is being executed when it returns. */
void fake_card_hold(int hold);

/* Lets the card execute that many more requests; -1, the default, is no limit. */
void fake_card_budget(long requests);

/*
 * Fails the request with that number, counting from 1 those executed from now on, with these values in its
 * completion; 0 for none.
 */
void fake_card_fail(long request, int syndrome, int vendor);

/* Returns the number of requests that the card has executed. */
long fake_card_executed(void);

#ifdef __cplusplus
}
#endif

#endif
