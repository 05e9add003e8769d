/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.submission;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.ffi.hot.BufCalls;
import io.docajava.ffi.hot.TaskCalls;
import io.docajava.ffi.internal.Downcalls;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * The command list of mode {@link io.docajava.ffi.completion.CompletionMode#UPCALL}. It makes one native call for each
 * command and needs no helper library.
 */
final class JavaTaskCommands extends TaskCommands {

    private static final MethodHandle SETTER =
            Linker.nativeLinker().downcallHandle(FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG));

    /** The functions called so far, cached to avoid allocations. A library has only few of them. */
    private final List<MemorySegment> setters = new ArrayList<>();

    JavaTaskCommands(int capacity) {
        super(capacity);
    }

    @Override
    long run(int from, int to) {
        for (int i = from; i < to; i++) {
            int result = run(i);
            if (result != 0) {
                return (long) result << Integer.SIZE | i;
            }
        }
        return to;
    }

    private int run(int i) {
        return switch (kind(i)) {
            case SUBMIT -> TaskCalls.submit(object(i));
            case SUBMIT_FLAGS -> TaskCalls.submit(object(i), flags(i));
            case SET_DATA -> BufCalls.setData(object(i), first(i), second(i));
            case RESET_AND_SUBMIT, RESET_AND_SUBMIT_FLAGS -> resetAndSubmit(i);
            case FLUSH -> {
                TaskCalls.flush(object(i));
                yield 0;
            }
            case AIM_AND_SUBMIT, AIM_AND_SUBMIT_FLAGS -> aimAndSubmit(i);
            default -> {
                set(first(i), object(i), second(i));
                yield 0;
            }
        };
    }

    private int resetAndSubmit(int i) {
        int result = BufCalls.resetDataLength(first(i));
        if (result != 0) {
            return result;
        }
        return kind(i) == RESET_AND_SUBMIT ? TaskCalls.submit(object(i)) : TaskCalls.submit(object(i), flags(i));
    }

    private int aimAndSubmit(int i) {
        long source = Slots.source(object(i));
        long destination = Slots.destination(object(i));
        int result = source == 0 ? 0 : BufCalls.setData(source, first(i), length(i));
        if (result == 0 && destination != 0) {
            result = BufCalls.setData(destination, second(i), 0);
        }
        if (result != 0) {
            return result;
        }
        long task = Slots.task(object(i));
        return kind(i) == AIM_AND_SUBMIT ? TaskCalls.submit(task) : TaskCalls.submit(task, flags(i));
    }

    private void set(long function, long task, long pointer) {
        try {
            SETTER.invokeExact(setter(function), task, pointer);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    private MemorySegment setter(long function) {
        for (int i = 0; i < setters.size(); i++) {
            if (setters.get(i).address() == function) {
                return setters.get(i);
            }
        }
        setters.add(MemorySegment.ofAddress(function));
        return setters.getLast();
    }

    @Override
    void free() {}
}
