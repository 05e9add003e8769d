/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.jfr;

import io.docajava.ffi.DocaLibrary;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/**
 * Records events. Any thread may call. The classes of the events are loaded only after the first recording has begun, since
 * loading them takes longer than a copy.
 */
@SuppressWarnings("UnusedVariable") // the recorder reads the fields of events
public final class Jfr {

    private Jfr() {}

    /** Returns whether there was a recording since the JVM has started, so that events may have to be recorded. */
    public static boolean isRecording() {
        return FlightRecorder.isInitialized();
    }

    /** Records that an operation has failed. */
    public static void operationFailed(String type, String context, @Nullable String message) {
        if (FlightRecorder.isInitialized()) {
            OperationFailed event = new OperationFailed();
            event.type = type;
            event.context = context;
            event.message = message;
            event.commit();
        }
    }

    /** Records a new state of a context. */
    public static void contextChanged(String context, Object previous, Object state) {
        if (FlightRecorder.isInitialized()) {
            ContextState event = new ContextState();
            event.context = context;
            event.previous = previous.toString();
            event.state = state.toString();
            event.commit();
        }
    }

    /** Records a new state of a connection. */
    public static void connectionChanged(Object connection, Object previous, Object state) {
        if (FlightRecorder.isInitialized()) {
            ConnectionState event = new ConnectionState();
            event.connection = connection.toString();
            event.previous = previous.toString();
            event.state = state.toString();
            event.commit();
        }
    }

    /** Records that memory was registered with devices, or imported. */
    public static void memoryRegistered(String memory, long bytes) {
        if (FlightRecorder.isInitialized()) {
            MemoryRegistered event = new MemoryRegistered();
            event.memory = memory;
            event.bytes = bytes;
            event.commit();
        }
    }

    /** Records that memory is no longer registered. */
    public static void memoryReleased(String memory, long bytes) {
        if (FlightRecorder.isInitialized()) {
            MemoryReleased event = new MemoryReleased();
            event.memory = memory;
            event.bytes = bytes;
            event.commit();
        }
    }

    /** Records that another process may use an object from now on. */
    public static void exported(String object) {
        if (FlightRecorder.isInitialized()) {
            Exported event = new Exported();
            event.object = object;
            event.commit();
        }
    }

    /** Records that an object became unreachable and was never closed. */
    public static void leaked(String object) {
        if (FlightRecorder.isInitialized()) {
            Leaked event = new Leaked();
            event.object = object;
            event.commit();
        }
    }

    /** Records which libraries were loaded. */
    public static void loaded(DocaLibrary library) {
        if (FlightRecorder.isInitialized()) {
            Loaded event = new Loaded();
            event.backend = library.backend().toString();
            event.version = library.version().toString();
            event.path = library.libraryPath("common");
            event.commit();
        }
    }

    /** Returns the started event of an operation; null if it is not recorded. */
    public static @Nullable OperationEvent startOperation() {
        return FlightRecorder.isInitialized() && Probes.OPERATION.isEnabled() ? OperationEvent.start() : null;
    }

    /** Returns the started event of a round of progress; null if it is not recorded. */
    public static @Nullable Event startRound() {
        return FlightRecorder.isInitialized() && Probes.STALL.isEnabled() ? started(new EngineStall()) : null;
    }

    /** Returns the started event of a sleep; null if it is not recorded. */
    public static @Nullable Event startSleep() {
        return FlightRecorder.isInitialized() && Probes.SLEEP.isEnabled() ? started(new EngineSleep()) : null;
    }

    private static Event started(Event event) {
        event.begin();
        return event;
    }

    /** Events that are only asked whether they are enabled, so that nothing is allocated otherwise. */
    private static final class Probes {

        private static final OperationEvent OPERATION = new OperationEvent();
        private static final EngineStall STALL = new EngineStall();
        private static final EngineSleep SLEEP = new EngineSleep();

        private Probes() {}
    }

    @Name("doca.OperationFailed")
    @Label("Operation Failed")
    @Category("DOCA")
    private static final class OperationFailed extends Event {

        @Label("Type")
        private @Nullable String type;

        @Label("Context")
        private @Nullable String context;

        @Label("Message")
        private @Nullable String message;
    }

    @Name("doca.ContextState")
    @Label("Context State")
    @Category("DOCA")
    private static final class ContextState extends Event {

        @Label("Context")
        private @Nullable String context;

        @Label("Previous State")
        private @Nullable String previous;

        @Label("State")
        private @Nullable String state;
    }

    @Name("doca.ConnectionState")
    @Label("Connection State")
    @Category("DOCA")
    private static final class ConnectionState extends Event {

        @Label("Connection")
        private @Nullable String connection;

        @Label("Previous State")
        private @Nullable String previous;

        @Label("State")
        private @Nullable String state;
    }

    @Name("doca.MemoryRegistered")
    @Label("Memory Registered")
    @Category("DOCA")
    private static final class MemoryRegistered extends Event {

        @Label("Memory")
        private @Nullable String memory;

        @Label("Bytes")
        @DataAmount
        private long bytes;
    }

    @Name("doca.MemoryReleased")
    @Label("Memory Released")
    @Category("DOCA")
    private static final class MemoryReleased extends Event {

        @Label("Memory")
        private @Nullable String memory;

        @Label("Bytes")
        @DataAmount
        private long bytes;
    }

    @Name("doca.Exported")
    @Label("Exported")
    @Category("DOCA")
    private static final class Exported extends Event {

        @Label("Object")
        private @Nullable String object;
    }

    @Name("doca.Leaked")
    @Label("Leaked")
    @Category("DOCA")
    @Description("An object became unreachable and was never closed")
    @StackTrace(false)
    private static final class Leaked extends Event {

        @Label("Object")
        private @Nullable String object;
    }

    @Name("doca.LibraryLoaded")
    @Label("Library Loaded")
    @Category("DOCA")
    private static final class Loaded extends Event {

        @Label("Back End")
        private @Nullable String backend;

        @Label("Version")
        private @Nullable String version;

        @Label("Path")
        private @Nullable String path;
    }

    @Name("doca.EngineStall")
    @Label("Engine Stall")
    @Category("DOCA")
    @Description("A round of progress, including its callbacks, that took longer than the threshold")
    @Threshold("20 ms")
    private static final class EngineStall extends Event {}

    @Name("doca.EngineSleep")
    @Label("Engine Sleep")
    @Category("DOCA")
    @Description("A sleep of an engine's thread until it is signalled or its timeout has passed")
    @Enabled(false)
    @StackTrace(false)
    private static final class EngineSleep extends Event {}
}
