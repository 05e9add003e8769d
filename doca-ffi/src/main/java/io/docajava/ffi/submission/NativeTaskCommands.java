/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.submission;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.ffi.internal.AllMemory;
import io.docajava.ffi.internal.Downcalls;
import io.docajava.ffi.internal.HelperLibrary;
import io.docajava.ffi.internal.NativeSymbols;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Commands in memory that {@code docajava_commands.c} reads; the offsets are those of its structures. */
final class NativeTaskCommands extends TaskCommands {

    private static final long FUNCTIONS_SIZE = 32;

    private static final long KIND = 0;
    private static final long OBJECT = 8;
    private static final long FIRST = 16;
    private static final long SECOND = 24;
    private static final long COMMAND_SIZE = 32;

    private static final MethodHandle RUN = HelperLibrary.downcall(
            "docajava_run", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT));

    /** Shared, because another thread than the one that opened the list may close it. */
    private final Arena arena = Arena.ofShared();

    private final long functions;
    /** Where the commands are; 0 when closed, and nothing is written then. */
    private long commands;

    NativeTaskCommands(int capacity) {
        super(capacity);
        MemorySegment memory = arena.allocate(FUNCTIONS_SIZE + capacity * COMMAND_SIZE, COMMAND_SIZE);
        NativeSymbols common = NativeSymbols.of("common");
        memory.set(JAVA_LONG, 0, common.address("doca_task_submit").address());
        memory.set(JAVA_LONG, 8, common.address("doca_task_submit_ex").address());
        memory.set(JAVA_LONG, 16, common.address("doca_buf_set_data").address());
        memory.set(JAVA_LONG, 24, common.address("doca_buf_reset_data_len").address());
        functions = memory.address();
        commands = functions + FUNCTIONS_SIZE;
    }

    @Override
    void write(int index, int kind, int flags, long object, long first, long second) {
        long at = address(index);
        AllMemory.setLong(at + KIND, (long) flags << Integer.SIZE | kind);
        AllMemory.setLong(at + OBJECT, object);
        if (kind >= SET_DATA) {
            AllMemory.setLong(at + FIRST, first);
            AllMemory.setLong(at + SECOND, second);
        }
    }

    @Override
    void writeKind(int index, int kind) {
        AllMemory.setInt(address(index) + KIND, kind);
    }

    @Override
    int kind(int index) {
        return AllMemory.getInt(address(index) + KIND);
    }

    @Override
    long run(int from, int to) {
        try {
            return (long) RUN.invokeExact(functions, commands, from, to);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    @Override
    void free() {
        if (commands != 0) {
            commands = 0;
            arena.close();
        }
    }

    private long address(int index) {
        if (commands == 0) {
            throw new IllegalStateException("The list of commands is closed");
        }
        return commands + index * COMMAND_SIZE;
    }
}
