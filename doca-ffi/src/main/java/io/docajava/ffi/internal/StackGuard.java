/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Has a stack overflow strike before a call into C, and not in an upcall that C makes, where it would end the process. To be
 * asked before every call that may lead to an upcall. It costs nothing while this process has no upcalls.
 */
public final class StackGuard {

    /** With so many bytes left, no closer look is needed, whatever the size of a page is. */
    private static final long PLENTY = 512 * 1024;

    /**
     * How deep a closer look goes. A level takes more than 64 bytes of the stack, and behind the last one the JVM has the room
     * that it keeps for native code. So an upcall and the C code below it have more than 40 KiB.
     */
    private static final int LEVELS = 640;

    /** Whether there may be upcalls. It is set before the first one can run, by a thread that makes the calls or starts them. */
    private static volatile boolean armed;

    /** What the levels of a closer look compute, so that no compiler leaves them out. */
    @SuppressWarnings("UnusedVariable")
    private static volatile long result;

    private StackGuard() {}

    /** Tells that there will be upcalls. To be called before the first stub is made. */
    public static void arm() {
        if (HelperLibrary.isAvailable()) {
            Calls.initialize();
        }
        armed = true;
    }

    /**
     * Makes sure that an upcall has room on the stack of this thread.
     *
     * @throws StackOverflowError if it has not
     */
    public static void check() {
        if (armed && !hasPlenty()) {
            result = descend(LEVELS, 1, 2, 3, 4, 5, 6, 7, 8);
        }
    }

    private static boolean hasPlenty() {
        if (!HelperLibrary.isAvailable()) {
            return false;
        }
        long left = Calls.left();
        if (left < 0) {
            Calls.findLowest();
            left = Calls.left();
        }
        return left >= PLENTY;
    }

    /** The numbers are needed behind the call, so that the level keeps them on the stack however it is compiled. */
    private static long descend(int levels, long a, long b, long c, long d, long e, long f, long g, long h) {
        if (levels == 0) {
            return a;
        }
        return descend(levels - 1, b, c, d, e, f, g, h, a + levels)
                ^ a
                ^ b * 3
                ^ c * 5
                ^ d * 7
                ^ e * 9
                ^ f * 11
                ^ g * 13
                ^ h * 15;
    }

    /** Of the helper library, and of the C library's threads. */
    private static final class Calls {

        /** More than the size of {@code pthread_attr_t} on either architecture. */
        private static final long ATTRIBUTES = 128;

        private static final MethodHandle LEFT =
                HelperLibrary.shortDowncall("docajava_stack_left", FunctionDescriptor.of(JAVA_LONG));
        private static final MethodHandle SET_LOWEST =
                HelperLibrary.shortDowncall("docajava_stack_set_lowest", FunctionDescriptor.ofVoid(JAVA_LONG));
        private static final MethodHandle SELF = LibC.bind("pthread_self", FunctionDescriptor.of(JAVA_LONG));
        private static final MethodHandle GET_ATTRIBUTES =
                LibC.bind("pthread_getattr_np", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
        private static final MethodHandle GET_STACK =
                LibC.bind("pthread_attr_getstack", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
        private static final MethodHandle DESTROY_ATTRIBUTES =
                LibC.bind("pthread_attr_destroy", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));

        private Calls() {}

        /** Has the class initialised where the stack is not deep. */
        static void initialize() {}

        static long left() {
            try {
                return (long) LEFT.invokeExact();
            } catch (Throwable e) {
                throw Downcalls.unexpected(e);
            }
        }

        /** Where the C library cannot tell, nothing changes. */
        static void findLowest() {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment attributes = arena.allocate(ATTRIBUTES, JAVA_LONG.byteSize());
                MemorySegment stack = arena.allocate(JAVA_LONG, 2);
                if ((int) GET_ATTRIBUTES.invokeExact((long) SELF.invokeExact(), attributes.address()) != 0) {
                    return;
                }
                int found = (int) GET_STACK.invokeExact(
                        attributes.address(), stack.address(), stack.address() + JAVA_LONG.byteSize());
                int ignored = (int) DESTROY_ATTRIBUTES.invokeExact(attributes.address());
                if (found == 0) {
                    SET_LOWEST.invokeExact(stack.get(JAVA_LONG, 0));
                }
            } catch (Throwable e) {
                throw Downcalls.unexpected(e);
            }
        }
    }
}
