/* SPDX-License-Identifier: Apache-2.0 */
/* Objects for the sources shared with the emulator. Unlike the emulator, the check for a live object detects only NULL. */
#ifndef DOCA_COMPAT_OBJECT_H_
#define DOCA_COMPAT_OBJECT_H_

#include <stddef.h>
#include <stdlib.h>

#include "refuse.h"

struct object_class {
    const char *name;
    size_t size;
};

/* The first member of each object. */
struct object {
    const struct object_class *object_class;
};

#define OBJECT_CLASS(name, type) {(name), sizeof(type)}

#define IS_LIVE(object_class, object) \
    ((object) != NULL || REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: NULL is no %s", object_class.name) == DOCA_SUCCESS)

/* Returns NULL without memory. */
static inline void *
object_create(const struct object_class *object_class) {
    struct object *object = calloc(1, object_class->size);
    if (object != NULL) {
        object->object_class = object_class;
    }
    return object;
}

static inline void
object_destroy(const struct object_class *object_class, void *object) {
    (void)object_class;
    free(object);
}

#endif /* DOCA_COMPAT_OBJECT_H_ */
