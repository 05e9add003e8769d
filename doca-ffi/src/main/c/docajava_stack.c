/* SPDX-License-Identifier: Apache-2.0 */
/* The remaining stack of the calling thread, which Java checks before a call. */
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

/* The lowest address of the calling thread's stack; 0 if unknown. */
static _Thread_local uint64_t lowest;

/* Sets the end of the calling thread's stack. */
EXPORT void
docajava_stack_set_lowest(uint64_t address) {
    lowest = address;
}

/* Returns the number of bytes from here to the end of the stack; -1 if unknown. */
EXPORT int64_t
docajava_stack_left(void) {
    return lowest == 0 ? -1 : (int64_t)((uint64_t)(uintptr_t)__builtin_frame_address(0) - lowest);
}
