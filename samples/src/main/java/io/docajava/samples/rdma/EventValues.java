/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

/** The values of the sync event that the samples share, in their order. */
final class EventValues {

    /** The requester is there. */
    static final long REQUESTED = 0xD0CA;

    /** The responder has seen it. */
    static final long ANSWERED = REQUESTED + 1;

    /** The requester has seen that: the largest of all, as values are unsigned. */
    static final long COMPLETE = -1;

    private EventValues() {}
}
