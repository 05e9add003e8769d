/* SPDX-License-Identifier: Apache-2.0 */
#include <time.h>

#include "clock.h"
#include "object_pin.h"
#include "process.h"

#define PIN_WAIT_NS 20000

/* Returns the pins of this process. A parent's pins belong to threads that a forked child does not have. */
static uint64_t
no_pins(void) {
    return (uint64_t)process_generation() << 32;
}

static bool
is_pinned(uint64_t pins) {
    const uint64_t none = no_pins();
    return pins > none && pins >> 32 == none >> 32;
}

void
object_pin(struct object *object) {
    uint64_t pins = atomic_load(&object->pins);
    uint64_t more;
    do {
        more = (is_pinned(pins) ? pins : no_pins()) + 1;
    } while (!atomic_compare_exchange_weak(&object->pins, &pins, more));
}

void
object_unpin(struct object *object) {
    atomic_fetch_sub(&object->pins, 1);
}

bool
object_wait_for_pins(struct object *object, uint64_t deadline) {
    while (is_pinned(atomic_load(&object->pins))) {
        if (clock_now() > deadline) {
            return false;
        }
        nanosleep(&(struct timespec){.tv_nsec = PIN_WAIT_NS}, NULL);
    }
    return true;
}
