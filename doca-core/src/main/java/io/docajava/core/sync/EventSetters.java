/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import io.docajava.ffi.hot.SyncEventCalls;

/**
 * The C functions that set the numbers of the tasks of one type for their next submission, by their addresses; 0 where the type
 * has no such number.
 *
 * @param number sets what is set, added or waited for
 * @param mask sets the bits that a wait looks at
 */
record EventSetters(long number, long mask) {

    /** For no tasks. */
    static final EventSetters NONE = new EventSetters(0, 0);

    static EventSetters of(SyncEventTaskType type) {
        String setter = type.prefix() + "_set_";
        return switch (type) {
            case GET -> NONE;
            case SET -> new EventSetters(SyncEventCalls.setter(setter + "set_val"), 0);
            case ADD -> new EventSetters(SyncEventCalls.setter(setter + "inc_val"), 0);
            case WAIT_EQUAL, WAIT_NOT_EQUAL ->
                new EventSetters(SyncEventCalls.setter(setter + "wait_val"), SyncEventCalls.setter(setter + "mask"));
        };
    }
}
