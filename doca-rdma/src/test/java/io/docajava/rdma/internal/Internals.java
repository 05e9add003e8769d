/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.internal;

import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaContext;
import io.docajava.rdma.RdmaTaskType;
import java.lang.foreign.MemorySegment;

/** Gives tests of other packages the internals of public objects. */
public final class Internals {

    /** The numbers of the events of connections. */
    public static final int REQUESTED = Connections.REQUESTED;

    public static final int ESTABLISHED = Connections.ESTABLISHED;
    public static final int FAILED = Connections.FAILED;

    private Internals() {}

    private static Connections connections(RdmaContext context) {
        return ((RdmaContextImpl) context).allConnections();
    }

    /** Returns the number of native addresses that connections use. */
    public static int addressesInUse(RdmaContext context) {
        return connections(context).addressesInUse();
    }

    /** Delivers an event to the context. */
    public static void event(RdmaContext context, int number, long object, long userData) {
        connections(context).event(number, object, userData);
    }

    /** Returns the {@code struct doca_rdma *}. */
    public static MemorySegment pointer(RdmaContext context) {
        return connections(context).rdma().pointer();
    }

    /** Returns the {@code struct doca_rdma_connection *}. */
    public static long pointer(RdmaConnection connection) {
        return ((RdmaConnectionImpl) connection).pointer();
    }

    /** Returns the number by which the context knows a connection. */
    public static long number(RdmaConnection connection) {
        return ((RdmaConnectionImpl) connection).number();
    }

    /** Makes the connection one of a running graph. */
    public static void addGraphTask(RdmaConnection connection) {
        ((RdmaConnectionImpl) connection).addGraphTask();
    }

    /** Undoes {@link #addGraphTask}. */
    public static void removeGraphTask(RdmaConnection connection) {
        ((RdmaConnectionImpl) connection).removeGraphTask();
    }

    /** Returns the prefix of the C functions for tasks of a type. */
    public static String prefix(RdmaTaskType type) {
        return NativeTaskType.prefix(type);
    }

    /** Returns the name of a type in messages. */
    public static String words(RdmaTaskType type) {
        return NativeTaskType.words(type);
    }

    /** Returns the name of the C function that tells whether a device supports a type. */
    public static String function(RdmaTaskType type) {
        return NativeTaskType.function(type);
    }
}
