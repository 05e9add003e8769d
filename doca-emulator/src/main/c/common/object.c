/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "fork.h"
#include "object.h"
#include "sdk_log.h"

/* The number of dead objects of a class that are kept from reuse. */
#define NUM_RESTING 64

static atomic_uint_fast64_t num_live;

/* Guards the dead objects of all classes. */
static pthread_mutex_t dead_lock = PTHREAD_MUTEX_INITIALIZER;

GUARD_IN_FORKS(dead, &dead_lock, NULL)

static struct object *
take_rested(struct object_class *class) {
    struct object *object = NULL;
    pthread_mutex_lock(&dead_lock);
    if (class->num_dead > NUM_RESTING) {
        object = class->first_dead;
        class->first_dead = object->next_dead;
        class->num_dead--;
    }
    pthread_mutex_unlock(&dead_lock);
    return object;
}

void *
object_create(struct object_class *class) {
    struct object *object = take_rested(class);
    if (object != NULL) {
        object->next_dead = NULL;
        memset(object + 1, 0, class->size - sizeof(*object));
    } else {
        object = calloc(1, class->size);
        if (object == NULL) {
            return NULL;
        }
    }
    __atomic_store_n(&object->class, class, __ATOMIC_RELAXED);
    atomic_fetch_add(&num_live, 1);
    return object;
}

void
object_destroy(struct object_class *class, void *handle) {
    struct object *object = handle;
    __atomic_store_n(&object->class, NULL, __ATOMIC_RELAXED);
    atomic_fetch_sub(&num_live, 1);
    pthread_mutex_lock(&dead_lock);
    if (class->num_dead == 0) {
        class->first_dead = object;
    } else {
        class->last_dead->next_dead = object;
    }
    class->last_dead = object;
    class->num_dead++;
    pthread_mutex_unlock(&dead_lock);
}

uint64_t
emulator_num_objects(void) {
    return atomic_load(&num_live);
}

void
object_report(
        const struct object_class *class, const void *handle, const char *file, int line, const char *function) {
    if (handle == NULL) {
        emulator_sdk_log(DOCA_LOG_LEVEL_ERROR, file, line, function, "Invalid input: %s is NULL", class->name);
        return;
    }
    const struct object_class *actual = __atomic_load_n(&((const struct object *)handle)->class, __ATOMIC_RELAXED);
    emulator_sdk_log(DOCA_LOG_LEVEL_ERROR, file, line, function, "Invalid input: %p %s", handle,
                     actual == NULL ? "was destroyed before" : "is not an object of the required kind");
}
