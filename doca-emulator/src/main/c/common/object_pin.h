/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the state of an object from changing while an engine thread uses it. */
#ifndef DOCA_EMULATOR_OBJECT_PIN_H_
#define DOCA_EMULATOR_OBJECT_PIN_H_

#include <stdbool.h>
#include <stdint.h>

#include "object.h"

/*
 * Engine threads pin an object before they check its state, because the program may destroy it at any time or has
 * already done so. May be called from any thread.
 */
void object_pin(struct object *object);
void object_unpin(struct object *object);

/*
 * Waits until no thread of this process has the object pinned, or until the deadline of clock_now(). Returns false if one still has it.
 * Before, the caller has set the next state of the object by a sequentially consistent store: a thread that pins it later sees
 * this state.
 */
bool object_wait_for_pins(struct object *object, uint64_t deadline);

#endif /* DOCA_EMULATOR_OBJECT_PIN_H_ */
