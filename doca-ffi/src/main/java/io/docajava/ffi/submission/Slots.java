/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.submission;

import io.docajava.ffi.internal.UncheckedMemory;
import java.lang.foreign.Arena;

/**
 * The slots of a context, in native memory. A slot is a task with buffers of its own, which {@link TaskCommands#aimAndSubmit} aims and
 * submits. The offsets below are those of {@code struct slot} in {@code docajava_commands.c}. Pointers are not checked and must be
 * valid. Only one thread at a time may use the slots.
 */
public final class Slots implements AutoCloseable {

    private static final long SOURCE = 8;
    private static final long DESTINATION = 16;
    private static final long SIZE = 24;

    /** Shared, because another thread than the one that created the slots may close them. */
    private final Arena arena = Arena.ofShared();

    private final long slots;

    /** Creates slots without tasks and buffers. */
    public Slots(int count) {
        slots = arena.allocate(count * SIZE, Long.BYTES).address();
    }

    /** Returns the address of a slot. */
    public long address(int number) {
        return slots + number * SIZE;
    }

    /** Sets the task of a slot. */
    public static void setTask(long slot, long task) {
        UncheckedMemory.setLong(slot, task);
    }

    /** Sets the buffer of a slot that is read; 0 for none. */
    public static void setSource(long slot, long buf) {
        UncheckedMemory.setLong(slot + SOURCE, buf);
    }

    /** Sets the buffer of a slot that is written to; 0 for none. */
    public static void setDestination(long slot, long buf) {
        UncheckedMemory.setLong(slot + DESTINATION, buf);
    }

    /** Returns the task of a slot. */
    static long task(long slot) {
        return UncheckedMemory.getLong(slot);
    }

    /** Returns the buffer of a slot that is read, or 0. */
    public static long source(long slot) {
        return UncheckedMemory.getLong(slot + SOURCE);
    }

    /** Returns the buffer of a slot that is written to, or 0. */
    public static long destination(long slot) {
        return UncheckedMemory.getLong(slot + DESTINATION);
    }

    @Override
    public void close() {
        arena.close();
    }
}
