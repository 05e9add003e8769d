/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.engine.EngineCore;
import io.docajava.core.internal.state.ContextBinding;
import io.docajava.ffi.comch.ComchCallbacks;
import io.docajava.ffi.generated.comch.DocaComch;
import io.docajava.ffi.generated.common.DocaCommon;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A {@code struct doca_comch_server} or {@code struct doca_comch_client}: its creation and destruction, its properties, and its
 * tasks. Not thread-safe.
 */
abstract sealed class EndpointObject implements ContextBinding permits ServerObject, ClientObject {

    /** Shared, because another thread may take over the context of a thread that has ended. */
    private final Arena arena = Arena.ofShared();

    private final MemorySegment out = arena.allocate(JAVA_LONG);
    private final MemorySegment userData = arena.allocate(JAVA_LONG);
    private final String description;
    private MemorySegment pointer = MemorySegment.NULL;
    private @Nullable ComchCallbacks callbacks;

    /**
     * Creates an instance without a native object, which {@link #create} adds.
     *
     * @param description the name for messages
     */
    EndpointObject(String description) {
        this.description = description;
    }

    /** Creates the native object by a function that takes the name as a C string and stores the pointer in {@link #out()}. */
    final void create(String name, ToIntFunction<MemorySegment> creation) {
        try (Arena scratch = Arena.ofConfined()) {
            Calls.check(
                    creation.applyAsInt(scratch.allocateFrom(name)),
                    prefix() + "_create",
                    "creating the " + description);
        } catch (Throwable failure) {
            arena.close();
            throw failure;
        }
        pointer = MemorySegment.ofAddress(out.get(JAVA_LONG, 0));
    }

    /** Returns the prefix of the C functions. */
    abstract String prefix();

    abstract int setMaxMessageSize(int bytes);

    abstract int setReceiveQueueSize(int messages);

    abstract int getMaxMessageSize();

    abstract int getReceiveQueueSize();

    abstract int configureSends(MemorySegment succeeded, MemorySegment failed, int tasks);

    abstract int registerMessages(MemorySegment received);

    /** Registers the callbacks for connections, before the start. */
    abstract void registerMore(ComchCallbacks newCallbacks);

    /** Allocates a task to send, which {@link #allocated()} returns afterwards; returns a {@code doca_error_t}. */
    abstract int allocateSend(long connection, MemorySegment message, int length);

    abstract int destroyNative();

    /** Returns the name for messages. */
    final String description() {
        return description;
    }

    /** Returns memory for the results of C functions. */
    final MemorySegment out() {
        return out;
    }

    final MemorySegment pointer() {
        return pointer;
    }

    /** Sets the length of the longest message, before the start. */
    final void maxMessageSize(int bytes) {
        check(
                setMaxMessageSize(bytes),
                "_set_max_msg_size",
                "setting the size of messages of the " + description + " to " + bytes);
    }

    /** Sets the number of messages that can wait, before the start. */
    final void receiveQueueSize(int messages) {
        check(
                setReceiveQueueSize(messages),
                "_set_recv_queue_size",
                "setting the receive queue size of the " + description + " to " + messages);
    }

    /** Returns the length of the longest message. */
    final long maxMessageSize() {
        return property(getMaxMessageSize(), "_get_max_msg_size");
    }

    /** Returns the number of messages that can wait. */
    final long receiveQueueSize() {
        return property(getReceiveQueueSize(), "_get_recv_queue_size");
    }

    private long property(int result, String function) {
        check(result, function, "reading a property of the " + description);
        return Integer.toUnsignedLong(out.get(JAVA_INT, 0));
    }

    /** Sets the number of sends that can be in flight, and the callbacks for their completions, before the start. */
    final void configureSends(EngineCore engine, int tasks) {
        check(
                configureSends(engine.taskSucceeded(), engine.taskFailed(), tasks),
                "_task_send_set_conf",
                "giving the " + description + " " + tasks + " tasks to send");
    }

    /** Sets the callbacks for connections and messages, before the start. */
    final void register(ComchCallbacks.Listener listener) {
        ComchCallbacks newCallbacks = new ComchCallbacks(listener);
        callbacks = newCallbacks;
        check(
                registerMessages(newCallbacks.received()),
                "_event_msg_recv_register",
                "setting the message callback of the " + description);
        registerMore(newCallbacks);
    }

    /** Returns the {@code struct doca_task *} of the task that was allocated last. */
    final long allocated() {
        return DocaComch.doca_comch_task_send_as_task(out.get(ADDRESS, 0)).address();
    }

    final void setUserData(long task, long value) {
        userData.set(JAVA_LONG, 0, value);
        DocaCommon.doca_task_set_user_data(MemorySegment.ofAddress(task), userData);
    }

    /** Allocates memory that is freed when the native object is destroyed. */
    final MemorySegment allocateMemory(long bytes) {
        return arena.allocate(bytes);
    }

    final void check(int result, String function, String attempt) {
        Calls.check(result, prefix() + function, attempt);
    }

    @Override
    public final int destroy() {
        int result = destroyNative();
        if (result == 0) {
            if (callbacks != null) {
                callbacks.close();
            }
            arena.close();
        }
        return result;
    }

    @Override
    public final String destroyFunction() {
        return prefix() + "_destroy";
    }
}
