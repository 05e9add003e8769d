/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

/** The values of the sync event that the samples share, in order. */
final class EventValues {

    /** The requester has connected. */
    static final long REQUESTED = 0xD0CA;

    /** The responder has seen {@link #REQUESTED}. */
    static final long ANSWERED = REQUESTED + 1;

    /** The requester has seen {@link #ANSWERED}. This is the largest value, because values are unsigned. */
    static final long COMPLETE = -1;

    private EventValues() {}
}
