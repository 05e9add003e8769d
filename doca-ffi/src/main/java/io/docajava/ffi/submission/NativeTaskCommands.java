/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.submission;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.ffi.internal.Downcalls;
import io.docajava.ffi.internal.HelperLibrary;
import io.docajava.ffi.internal.NativeSymbols;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The command list of mode {@link io.docajava.ffi.completion.CompletionMode#NATIVE}. {@code docajava_commands.c}
 * executes all commands in one native call; the offsets below are those of its structures.
 */
final class NativeTaskCommands extends TaskCommands {

    /** The size of the table of five functions, with padding so that commands do not share its cache line. */
    private static final long FUNCTIONS_SIZE = 64;

    private static final long COMMAND_SIZE = LONGS * Long.BYTES;

    private static final MethodHandle RUN = HelperLibrary.downcall(
            "docajava_run", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT));

    /** Shared, because another thread than the one that opened the list may close it. */
    private final Arena arena;

    private final long functions;
    /** The address of the commands in native memory; 0 after close. */
    private long commands;

    NativeTaskCommands(int capacity) {
        super(capacity);
        arena = Arena.ofShared();
        try {
            MemorySegment memory = arena.allocate(FUNCTIONS_SIZE + capacity * COMMAND_SIZE, COMMAND_SIZE);
            NativeSymbols common = NativeSymbols.of("common");
            memory.set(JAVA_LONG, 0, common.address("doca_task_submit").address());
            memory.set(JAVA_LONG, 8, common.address("doca_task_submit_ex").address());
            memory.set(JAVA_LONG, 16, common.address("doca_buf_set_data").address());
            memory.set(JAVA_LONG, 24, common.address("doca_buf_reset_data_len").address());
            memory.set(JAVA_LONG, 32, common.address("doca_ctx_flush_tasks").address());
            functions = memory.address();
        } catch (Throwable failure) {
            arena.close();
            throw failure;
        }
        commands = functions + FUNCTIONS_SIZE;
    }

    @Override
    long run(int from, int to) {
        if (commands == 0) {
            throw new IllegalStateException("The list of commands is closed");
        }
        copyTo(commands, to);
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
}
