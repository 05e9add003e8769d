/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.ffi.hot.RdmaCalls;

/**
 * The C functions that set the arguments of the tasks of one type for their next submission, by their addresses; 0 where the
 * type has no such argument.
 *
 * @param connection sets the connection
 * @param local sets the buffer of this side; fixed where that is of the context itself
 * @param remote sets the buffer of the peer's memory, or its sync event
 * @param first sets the immediate data, what is compared with, or what is added
 * @param second sets what is swapped in
 */
record TaskSetters(long connection, long local, long remote, long first, long second) {

    /** Those of a type of operations on connections. */
    static TaskSetters of(RdmaTaskType type) {
        String setter = type.prefix() + "_set_";
        return new TaskSetters(
                RdmaCalls.setter(setter + "rdma_connection"),
                switch (type) {
                    case SEND, SEND_IMM, WRITE, WRITE_IMM -> RdmaCalls.setter(setter + "src_buf");
                    case READ -> RdmaCalls.setter(setter + "dst_buf");
                    default -> 0;
                },
                switch (type) {
                    case READ -> RdmaCalls.setter(setter + "src_buf");
                    case WRITE, WRITE_IMM, ATOMIC_CMP_SWP, ATOMIC_FETCH_ADD -> RdmaCalls.setter(setter + "dst_buf");
                    case EVENT_GET, EVENT_SET, EVENT_ADD -> RdmaCalls.setter(setter + "sync_event");
                    default -> 0;
                },
                switch (type) {
                    case SEND_IMM, WRITE_IMM -> RdmaCalls.setter(setter + "immediate_data");
                    case ATOMIC_CMP_SWP -> RdmaCalls.setter(setter + "cmp_data");
                    case ATOMIC_FETCH_ADD, EVENT_ADD -> RdmaCalls.setter(setter + "add_data");
                    default -> 0;
                },
                type == RdmaTaskType.ATOMIC_CMP_SWP ? RdmaCalls.setter(setter + "swap_data") : 0);
    }

    /** The one that sets the buffer of a receive. */
    static long ofReceives() {
        return RdmaCalls.setter("doca_rdma_task_receive_set_dst_buf");
    }
}
