/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.hot;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.ffi.internal.Downcalls;
import java.lang.invoke.MethodHandle;

/** Functions of buffers. Pointers are addresses; nothing is checked here, and the SDK checks little. */
public final class BufCalls {

    static final HotFunctions FUNCTIONS = new HotFunctions("common");

    private static final MethodHandle GET_BY_ARGS = FUNCTIONS.bind(
            "doca_buf_inventory_buf_get_by_args",
            JAVA_INT,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG);
    private static final MethodHandle REUSE_BY_ARGS = FUNCTIONS.bind(
            "doca_buf_inventory_buf_reuse_by_args", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle POOL_ALLOC =
            FUNCTIONS.bind("doca_buf_pool_buf_alloc", JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle SET_DATA =
            FUNCTIONS.bind("doca_buf_set_data", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle RESET_DATA_LEN = FUNCTIONS.bind("doca_buf_reset_data_len", JAVA_INT, JAVA_LONG);
    private static final MethodHandle GET_DATA = FUNCTIONS.bind("doca_buf_get_data", JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle GET_DATA_LEN =
            FUNCTIONS.bind("doca_buf_get_data_len", JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle GET_HEAD = FUNCTIONS.bind("doca_buf_get_head", JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle GET_LEN = FUNCTIONS.bind("doca_buf_get_len", JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle CHAIN_LIST =
            FUNCTIONS.bind("doca_buf_chain_list", JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle UNCHAIN_LIST =
            FUNCTIONS.bind("doca_buf_unchain_list", JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle DEC_REFCOUNT =
            FUNCTIONS.bind("doca_buf_dec_refcount", JAVA_INT, JAVA_LONG, JAVA_LONG);

    private BufCalls() {}

    /** {@code doca_buf_inventory_buf_get_by_args}: takes a buffer from an inventory and writes its pointer. */
    public static int get(
            long inventory, long mmap, long address, long length, long data, long dataLength, long bufOut) {
        try {
            return (int) GET_BY_ARGS.invokeExact(inventory, mmap, address, length, data, dataLength, bufOut);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /**
     * {@code doca_buf_inventory_buf_reuse_by_args}: sets a buffer of an inventory to another range of its map. Since DOCA
     * 3.2.
     */
    public static int reuse(long buf, long address, long length, long data, long dataLength) {
        try {
            return (int) REUSE_BY_ARGS.invokeExact(buf, address, length, data, dataLength);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code doca_buf_pool_buf_alloc}: takes a buffer from a pool and writes its pointer. */
    public static int allocate(long pool, long bufOut) {
        try {
            return (int) POOL_ALLOC.invokeExact(pool, bufOut);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code doca_buf_set_data}: sets the data segment. */
    public static int setData(long buf, long data, long dataLength) {
        try {
            return (int) SET_DATA.invokeExact(buf, data, dataLength);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code doca_buf_reset_data_len}: empties the data segment and keeps its start. */
    public static int resetDataLength(long buf) {
        try {
            return (int) RESET_DATA_LEN.invokeExact(buf);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code doca_buf_get_data}: writes the address of the data segment. */
    public static int data(long buf, long addressOut) {
        try {
            return (int) GET_DATA.invokeExact(buf, addressOut);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code doca_buf_get_data_len}: writes the length of the data segment, a {@code long}. */
    public static int dataLength(long buf, long lengthOut) {
        try {
            return (int) GET_DATA_LEN.invokeExact(buf, lengthOut);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code doca_buf_get_head}: writes the address of the range. */
    public static int head(long buf, long addressOut) {
        try {
            return (int) GET_HEAD.invokeExact(buf, addressOut);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code doca_buf_get_len}: writes the length of the range, a {@code long}. */
    public static int length(long buf, long lengthOut) {
        try {
            return (int) GET_LEN.invokeExact(buf, lengthOut);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code doca_buf_chain_list}: appends one list to another. */
    public static int chain(long list, long tail) {
        try {
            return (int) CHAIN_LIST.invokeExact(list, tail);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code doca_buf_unchain_list}: cuts a list before an element that is not its first. */
    public static int unchain(long list, long tail) {
        try {
            return (int) UNCHAIN_LIST.invokeExact(list, tail);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /**
     * {@code doca_buf_dec_refcount}: drops a reference and writes the previous count, a {@code short}; {@code countOut} may be 0.
     * When the last reference is dropped, the whole list is returned.
     */
    public static int decrementReferences(long buf, long countOut) {
        try {
            return (int) DEC_REFCOUNT.invokeExact(buf, countOut);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }
}
