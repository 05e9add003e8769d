/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Makes a stack overflow happen at the beginning of a call: not in an upcall, where it would terminate the process, and not after
 * the call has acquired a task or a native object, which would be lost. Every public method that changes something calls {@link
 * #check()} first. It is not called again within that method, because the second check might fail. Methods that close something
 * call {@link #checkToClose()}, or {@link #checkToCloseAll()} if the object has parts; both require less: if an object could be
 * created, it can be closed. The required room includes the first use of a class, which needs more than any later call.
 *
 * <p>A class whose initialization overflows the stack can never be used again. Therefore public methods check the stack before they
 * use a class whose static initializer calls other classes, and no static initializer checks the stack. This class has none.
 */
public final class StackGuard {

    /** The room that a call may need, in bytes. */
    private static final long ROOM = 96 * 1024;

    /** Further room that {@link #check()} requires, so that the result can be closed: more than the frames of both calls differ. */
    private static final long ROOM_TO_SPARE = 16 * 1024;

    /** The depth of {@link #descend}. A level takes more than 64 bytes of the stack. */
    private static final int LEVELS = (int) ((ROOM + ROOM_TO_SPARE) / 64);

    /** Fewer, because the first calls are usually interpreted, and a level then takes three times as much. */
    private static final int LEVELS_OF_FIRST_CALL = LEVELS / 4;

    private static final int LEVELS_TO_CLOSE = LEVELS / 4;

    /** Further room that {@link #checkToCloseAll()} requires: more than the frames between it and the checks of the parts. */
    private static final long ROOM_FOR_PARTS = ROOM_TO_SPARE / 2;

    private static final int LEVELS_TO_CLOSE_ALL = LEVELS / 2;

    /** More than the recursive calls of a method that C2 inlines. */
    private static final int OUT_OF_LINE = 2;

    /** True if the classes that measure the stack are initialized. */
    private static volatile boolean initialized;
    /** True if they can measure it. */
    private static volatile boolean measures;

    /** The result of {@link #descend}, which keeps the compiler from removing the call. */
    @SuppressWarnings("UnusedVariable")
    private static volatile long result;

    private StackGuard() {}

    /** Initializes the classes that {@link #check()} then uses. The caller has checked the stack. */
    public static void initialize() {
        if (HelperLibrary.isAvailable()) {
            left(OUT_OF_LINE);
            measures = true;
        }
        initialized = true;
    }

    /**
     * Makes sure that a call has room on the stack of this thread.
     *
     * @throws StackOverflowError if there is not enough room
     */
    public static void check() {
        check(ROOM + ROOM_TO_SPARE, initialized ? LEVELS : LEVELS_OF_FIRST_CALL);
    }

    /**
     * Makes sure that a call that closes something has room on the stack of this thread.
     *
     * @throws StackOverflowError if there is not enough room
     */
    public static void checkToClose() {
        check(ROOM, LEVELS_TO_CLOSE);
    }

    /**
     * Makes sure that a call has room on the stack of this thread to close an object and then its parts, whose own calls of {@link
     * #checkToClose()} must not fail after that. Requires less than {@link #check()}.
     *
     * @throws StackOverflowError if there is not enough room
     */
    public static void checkToCloseAll() {
        check(ROOM + ROOM_FOR_PARTS, LEVELS_TO_CLOSE_ALL);
    }

    private static void check(long room, int levels) {
        long left = measures ? left(OUT_OF_LINE) : -1;
        if (left < 0) {
            result = descend(levels, 1, 2, 3, 4, 5, 6, 7, 8);
        } else if (left < Calls.RESERVE + room) {
            throw new StackOverflowError("A call of DOCA needs " + room / 1024 + " KiB of the stack");
        }
    }

    /**
     * Returns the number of remaining bytes of the stack; negative if unknown. It calls itself to keep the compiler from inlining it: in
     * a deeply inlined caller only a part of the native call would be inlined, which makes it three times slower.
     */
    private static long left(int calls) {
        if (calls > 0) {
            return left(calls - 1);
        }
        long left = Calls.left();
        if (left < 0) {
            Calls.findLowest();
            left = Calls.left();
        }
        return left;
    }

    /** Recurses. The numbers are used after the call, so that each level keeps them on the stack, compiled or not. */
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

    /** Functions of the helper library, and of the C library's threads. */
    private static final class Calls {

        /** More than the size of {@code pthread_attr_t} on both architectures. */
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

        /** The part of a stack that the JVM reserves for native code and for its own errors. */
        private static final long RESERVE = LibC.pageSize() == 4096 ? 96 * 1024 : 448 * 1024;

        private Calls() {}

        static long left() {
            try {
                return (long) LEFT.invokeExact();
            } catch (Throwable e) {
                throw Downcalls.unexpected(e);
            }
        }

        /** Sets the end of the stack, if the C library knows it. */
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
