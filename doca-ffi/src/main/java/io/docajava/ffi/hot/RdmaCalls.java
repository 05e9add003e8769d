/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.hot;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.ffi.internal.Downcalls;
import io.docajava.ffi.internal.NativeSymbols;
import java.lang.invoke.MethodHandle;

/** The functions of RDMA tasks that are called for each operation. Pointers are addresses; nothing is checked here. */
public final class RdmaCalls {

    static final HotFunctions FUNCTIONS = new HotFunctions("rdma");

    private static final MethodHandle READ_LENGTH =
            FUNCTIONS.bind("doca_rdma_task_read_get_result_len", JAVA_INT, JAVA_LONG);
    private static final MethodHandle RECEIVE_LENGTH =
            FUNCTIONS.bind("doca_rdma_task_receive_get_result_len", JAVA_INT, JAVA_LONG);
    private static final MethodHandle RECEIVE_OPCODE =
            FUNCTIONS.bind("doca_rdma_task_receive_get_result_opcode", JAVA_INT, JAVA_LONG);
    private static final MethodHandle RECEIVE_IMMEDIATE =
            FUNCTIONS.bind("doca_rdma_task_receive_get_result_immediate_data", JAVA_INT, JAVA_LONG);
    private static final MethodHandle RECEIVE_CONNECTION =
            FUNCTIONS.bind("doca_rdma_task_receive_get_result_rdma_connection", JAVA_LONG, JAVA_LONG);

    private RdmaCalls() {}

    /**
     * Returns whether contexts count as running before they are connected. A change of the state from RUNNING to RUNNING then tells
     * when the SDK runs them.
     *
     * @throws io.docajava.ffi.DocaLibraryException if there are no DOCA libraries
     */
    public static boolean isRunningWhenConnected() {
        return NativeSymbols.of("rdma").privateAddress("docajava_rdma_runs_when_connected") != 0;
    }

    /** {@code doca_rdma_task_read_get_result_len}: the number of bytes that were read, unsigned. */
    public static int readLength(long read) {
        try {
            return (int) READ_LENGTH.invokeExact(read);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code doca_rdma_task_receive_get_result_len}: the number of bytes of the message, unsigned. */
    public static int receivedLength(long receive) {
        try {
            return (int) RECEIVE_LENGTH.invokeExact(receive);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code doca_rdma_task_receive_get_result_opcode}: the peer's operation, an {@code enum doca_rdma_opcode}. */
    public static int receivedOpcode(long receive) {
        try {
            return (int) RECEIVE_OPCODE.invokeExact(receive);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code doca_rdma_task_receive_get_result_immediate_data}: the 4 bytes of immediate data, in the received order. */
    public static int receivedImmediate(long receive) {
        try {
            return (int) RECEIVE_IMMEDIATE.invokeExact(receive);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code doca_rdma_task_receive_get_result_rdma_connection}: the connection of the message. */
    public static long receivedConnection(long receive) {
        try {
            return (long) RECEIVE_CONNECTION.invokeExact(receive);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /**
     * Returns the address of a function that sets an argument of a task for its next submission: a pointer, or a number of 32 or
     * 64 bits. The calling conventions of both architectures pass all of these in the same way.
     *
     * @param function its C name, such as {@code doca_rdma_task_send_set_src_buf}
     * @return 0 if the loaded SDK lacks it and therefore has no tasks of that type
     */
    public static long setter(String function) {
        return NativeSymbols.of("rdma").address(function).address();
    }
}
