/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.completion;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.ffi.testing.CCompiler;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;

/** A progress engine that runs the steps that the test adds. {@code fake_engine.c} implements it. */
final class FakeEngine {

    private final SymbolLookup library;
    private final MethodHandle addTask;
    private final MethodHandle addState;
    private final MethodHandle addPlain;
    private final long engine;

    FakeEngine(Path work) throws Throwable {
        library = SymbolLookup.libraryLookup(compile(work), Arena.global());
        addTask = bind("fake_engine_add_task", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT);
        addState = bind("fake_engine_add_state", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT);
        addPlain = bind("fake_engine_add_plain", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
        engine = (long) Linker.nativeLinker()
                .downcallHandle(library.findOrThrow("fake_engine_create"), FunctionDescriptor.of(JAVA_LONG))
                .invokeExact();
    }

    private static Path compile(Path work) throws IOException {
        return CCompiler.library(
                work.resolve("libfake_engine.so"),
                Files.readString(Path.of("src/test/c/fake_engine.c")),
                "-DDOCA_ALLOW_EXPERIMENTAL_API",
                "-Isrc/main/include");
    }

    private MethodHandle bind(String function, MemoryLayout... parameters) {
        return Linker.nativeLinker()
                .downcallHandle(library.findOrThrow(function), FunctionDescriptor.ofVoid(parameters));
    }

    long address() {
        return engine;
    }

    /** Returns the replacement of {@code doca_pe_progress}. */
    MemorySegment progress() {
        return library.findOrThrow("fake_engine_progress");
    }

    /** Adds a step that completes a task. */
    void addTask(long callback, long task, long userData, long context) throws Throwable {
        addTasks(callback, task, userData, context, 1);
    }

    /** Adds a step that completes many tasks with consecutive user data. */
    void addTasks(long callback, long task, long userData, long context, int count) throws Throwable {
        addTask.invokeExact(engine, callback, task, userData, context, count);
    }

    /** Adds a step that changes the state of a context. */
    void addState(long callback, long object, long context, int previous, int next) throws Throwable {
        addState.invokeExact(engine, callback, object, context, previous, next);
    }

    /** Adds a step with an event that has no user data of its own. */
    void addPlain(long callback, long object, long context) throws Throwable {
        addPlain.invokeExact(engine, callback, object, context);
    }
}
