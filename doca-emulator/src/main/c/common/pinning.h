/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of memory that is registered with a device, which holds its pages and accesses them later. */
#ifndef DOCA_EMULATOR_PINNING_H_
#define DOCA_EMULATOR_PINNING_H_

#include <stdbool.h>
#include <stddef.h>

/*
 * Checks that each page of the range is mapped, with the protection that the access needs, and not behind the end of a
 * mapped file. Changes no content. Otherwise stores a text that names the first such address and its protection, and returns
 * false.
 */
bool pinning_check(const void *addr, size_t len, bool writable, char *reason, size_t reason_size);

/*
 * Counts the pages of the range as locked memory of this process; with the setting, up to its RLIMIT_MEMLOCK. Beyond the
 * limit, counts nothing, stores a text that names it, and returns false.
 */
bool pinning_lock(const void *addr, size_t len, char *reason, size_t reason_size);

void pinning_unlock(const void *addr, size_t len);

#endif /* DOCA_EMULATOR_PINNING_H_ */
