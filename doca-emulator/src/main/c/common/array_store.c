/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdlib.h>

#include "array_store.h"
#include "fork.h"

#define MIN_CAPACITY 16

/* Guards the unused arrays of all stores. */
static pthread_mutex_t unused_lock = PTHREAD_MUTEX_INITIALIZER;

GUARD_IN_FORKS(unused, &unused_lock, NULL)

/* Arrays of equal capacity replace each other, so there are few different ones. */
static size_t
capacity_for(uint32_t num_elements) {
    size_t capacity = MIN_CAPACITY;
    while (capacity < num_elements) {
        capacity *= 2;
    }
    return capacity;
}

static struct stored_array *
take_unused(struct array_store *store, size_t capacity, size_t element_size) {
    pthread_mutex_lock(&unused_lock);
    struct stored_array **link = &store->unused;
    while (*link != NULL && ((*link)->capacity != capacity || (*link)->element_size != element_size)) {
        link = &(*link)->next;
    }
    struct stored_array *array = *link;
    if (array != NULL) {
        *link = array->next;
    }
    pthread_mutex_unlock(&unused_lock);
    return array;
}

struct stored_array *
array_store_take(struct array_store *store, uint32_t num_elements, size_t element_size) {
    const size_t capacity = capacity_for(num_elements);
    struct stored_array *array = take_unused(store, capacity, element_size);
    if (array == NULL && capacity <= (SIZE_MAX - sizeof(*array)) / element_size) {
        array = calloc(1, sizeof(*array) + capacity * element_size);
    }
    if (array != NULL) {
        array->next = NULL;
        array->capacity = capacity;
        array->element_size = element_size;
    }
    return array;
}

void
array_store_return(struct array_store *store, struct stored_array *array) {
    pthread_mutex_lock(&unused_lock);
    array->next = store->unused;
    store->unused = array;
    pthread_mutex_unlock(&unused_lock);
}
