/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.engine;

import io.docajava.core.context.Context;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.ffi.internal.StackGuard;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Connects a graph to its engine: its life, the number under which the ends of its instances are noted during progress, and
 * what holds while its user nodes run. Used by the engine's thread.
 */
public final class GraphCore {

    private static final int COMPLETED = 0;
    private static final int FAILED = 1;

    private final EngineCore engine;
    private final Resource resource;
    private final Inside inside;
    private final int instances;
    private final int index;
    private final long userData;

    /** The engine's view of a graph. */
    public interface Inside {

        /**
         * An instance has ended; called after progress.
         *
         * @param userData of the instance when it ended
         */
        void ended(int userData, boolean succeeded);

        /** Returns whether an instance runs. */
        boolean isRunning();

        /** Closes all instances, and then the graph. */
        void close();
    }

    /**
     * Begins the life of a graph.
     *
     * @param owner its public face
     * @param description in error messages
     * @param contexts those that it has nodes of
     * @param subGraphs those that it has nodes of
     * @param instances how many there may be
     */
    public GraphCore(
            Object owner,
            String description,
            ProgressEngine engine,
            List<EngineContext> contexts,
            List<GraphCore> subGraphs,
            int instances,
            Inside inside) {
        this.engine = EngineAccess.core(engine);
        this.inside = inside;
        this.instances = instances;
        Resource[] parents = Stream.of(
                        Stream.of(this.engine.resource()),
                        contexts.stream().map(EngineContext::resource),
                        subGraphs.stream().map(GraphCore::resource))
                .flatMap(all -> all)
                .distinct()
                .toArray(Resource[]::new);
        resource = Resource.open(owner, description, parents);
        try {
            index = this.engine.attach(this, instances);
            userData = this.engine.userData(index);
        } catch (Throwable failure) {
            resource.discard();
            throw failure;
        }
    }

    /** The inside of a context that is open and of this engine; null for any other. */
    public static @Nullable EngineContext find(ProgressEngine engine, Context context) {
        return EngineAccess.core(engine).find(context);
    }

    /** Refuses calls by other threads and after the engine's close. */
    public static void checkUsable(ProgressEngine engine) {
        EngineAccess.core(engine).checkUsable();
    }

    /** Refuses calls by other threads. */
    public void checkThread() {
        StackGuard.check();
        engine.owner().check(resource);
    }

    /** {@link #checkThread()}, for calls that close something. */
    public void checkThreadToClose() {
        StackGuard.checkToClose();
        engine.owner().check(resource);
    }

    /** Refuses calls by other threads and after close. */
    public void checkUsable() {
        checkThread();
        resource.checkOpen();
    }

    /** Refuses what cannot be done while a user node runs. */
    public void refuseInUserNode(String attempt) {
        engine.refuseInUserNode(attempt);
    }

    public Resource resource() {
        return resource;
    }

    /** The {@code struct doca_pe *}. */
    public MemorySegment nativeEngine() {
        return engine.nativeEngine();
    }

    /** The user data of the graph, by which its callbacks find the engine. */
    public long userData() {
        return userData;
    }

    /** The callback for instances that succeed, as a C function pointer. */
    public MemorySegment completed() {
        return engine.event(COMPLETED);
    }

    /** The callback for instances that fail, as a C function pointer. */
    public MemorySegment failed() {
        return engine.event(FAILED);
    }

    /** Why the SDK says that things failed in the round that is being delivered. */
    public List<String> reasons() {
        return engine.reasons();
    }

    /** Hands what the code of a user threw to the error handler. */
    public void report(Throwable failure) {
        engine.report(failure);
    }

    /** Runs a user node, inside of native progress; see {@link #refuseInUserNode}. */
    public int runUserNode(IntSupplier node) {
        return engine.runUserNode(node);
    }

    /** Ends the life of the graph: natively it is gone, or was never there. */
    public void end() {
        engine.detachGraph(index, instances);
        resource.endClose();
    }

    void ended(int kind, int instanceData) {
        inside.ended(instanceData, kind == COMPLETED);
    }

    boolean isRunning() {
        return inside.isRunning();
    }

    /** Closes the graph with its instances, of which none may run. */
    public void close() {
        inside.close();
    }
}
