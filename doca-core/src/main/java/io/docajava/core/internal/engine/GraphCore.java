/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.engine;

import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.ffi.internal.StackGuard;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;

/**
 * The connection of a graph to its engine. It owns the graph's resource and its index in the engine, and passes
 * completions of instances to the graph. The graph implementation creates it; only the engine's thread uses it.
 */
public final class GraphCore {

    private static final int COMPLETED = 0;
    private static final int FAILED = 1;

    private final EngineImpl engine;
    private final Resource resource;
    private final Callbacks callbacks;
    private final int instances;
    private final int index;
    private final long userData;

    /** The calls of the engine to a graph. */
    public interface Callbacks {

        /**
         * Called after progress when an instance has ended.
         *
         * @param userData of the instance when it ended
         */
        void ended(int userData, boolean succeeded);

        /** Returns whether an instance is running. */
        boolean isRunning();

        /** Closes all instances, then the graph. */
        void close();
    }

    /**
     * Registers a graph with its engine.
     *
     * @param owner the public graph
     * @param description in error messages
     * @param contexts the contexts of its nodes
     * @param subGraphs the graphs that its nodes run
     * @param instances the largest number of instances
     */
    public GraphCore(
            Object owner,
            String description,
            ProgressEngine engine,
            List<? extends EngineContext> contexts,
            List<GraphCore> subGraphs,
            int instances,
            Callbacks callbacks) {
        this.engine = EngineImpl.of(engine);
        this.callbacks = callbacks;
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

    /** Throws if another thread calls. */
    public void checkThread() {
        StackGuard.check();
        engine.owner().check(resource);
    }

    /** Does the same as {@link #checkThread()} for calls that close something. */
    public void checkThreadToClose() {
        StackGuard.checkToClose();
        engine.owner().check(resource);
    }

    /** Throws if another thread calls or the graph is closed. */
    public void checkUsable() {
        StackGuard.check();
        // What is closed belongs to no thread.
        resource.checkOpen();
        engine.owner().check(resource);
    }

    public EngineImpl engine() {
        return engine;
    }

    public Resource resource() {
        return resource;
    }

    /** Returns the user data of the graph; its callbacks find the engine by it. */
    public long userData() {
        return userData;
    }

    /** Returns the callback for successful instances, as a C function pointer. */
    public MemorySegment completed() {
        return engine.event(COMPLETED);
    }

    /** Returns the callback for failed instances, as a C function pointer. */
    public MemorySegment failed() {
        return engine.event(FAILED);
    }

    /** Unregisters the graph, after its native graph was destroyed or if none was created. */
    public void end() {
        engine.detach(index, instances);
        resource.endClose();
    }

    void ended(int kind, int instanceData) {
        callbacks.ended(instanceData, kind == COMPLETED);
    }

    boolean isRunning() {
        return callbacks.isRunning();
    }

    /** Closes the graph and its instances. No instance may be running. */
    public void close() {
        callbacks.close();
    }
}
