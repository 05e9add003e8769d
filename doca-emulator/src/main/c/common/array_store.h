/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of arrays whose elements are behind users' handles. As with single objects, it is never freed, only reused later
 * for an array of the same kind, so that a stale handle still refers to an element, dead or alive.
 */
#ifndef DOCA_EMULATOR_ARRAY_STORE_H_
#define DOCA_EMULATOR_ARRAY_STORE_H_

#include <stddef.h>
#include <stdint.h>

struct stored_array {
    /* For the user of the array. */
    struct stored_array *next;
    size_t capacity;
    size_t element_size;
    _Alignas(max_align_t) unsigned char elements[];
};

/* The arrays of one kind that are not in use, with elements of any number of sizes. Zeros at first. */
struct array_store {
    struct stored_array *unused;
};

/*
 * Returns an array for at least that many elements, or NULL without memory. Its elements are zero or, of a reused array,
 * what its last user left.
 */
struct stored_array *array_store_take(struct array_store *store, uint32_t num_elements, size_t element_size);

/* Gives an array back. Its elements are dead. */
void array_store_return(struct array_store *store, struct stored_array *array);

#endif /* DOCA_EMULATOR_ARRAY_STORE_H_ */
