/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.LongToIntFunction;

/** The C function of user nodes of graphs, {@code doca_graph_user_node_cb_t}. */
public final class UserNodeUpcall {

    private static final MethodHandle RUN = run();

    private UserNodeUpcall() {}

    /**
     * Creates a function that runs Java code during progress or submission.
     *
     * @param code gets the cookie and returns a {@code doca_error_t}
     * @param failure the result of the function if the code throws; the exception is dropped
     * @param arena the lifetime of the function
     */
    public static MemorySegment create(LongToIntFunction code, int failure, Arena arena) {
        MethodHandle target = MethodHandles.insertArguments(RUN, 0, code, failure);
        return Linker.nativeLinker().upcallStub(target, FunctionDescriptor.of(JAVA_INT, JAVA_LONG), arena);
    }

    /** Catches everything, because an exception that leaves an upcall terminates the process. */
    @SuppressWarnings("UnusedMethod") // called by its handle
    private static int run(LongToIntFunction code, int failure, long cookie) {
        try {
            return code.applyAsInt(cookie);
        } catch (Throwable e) {
            return failure;
        }
    }

    private static MethodHandle run() {
        try {
            return MethodHandles.lookup()
                    .findStatic(
                            UserNodeUpcall.class,
                            "run",
                            MethodType.methodType(int.class, LongToIntFunction.class, int.class, long.class));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("UserNodeUpcall lacks run", e);
        }
    }
}
