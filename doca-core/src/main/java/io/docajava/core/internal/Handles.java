/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal;

import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.MapState;
import io.docajava.core.internal.operation.RemoteEvent;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.sync.RemoteSyncEvent;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Gives the packages and modules of doca-java access to the native side of public types, which is not visible to users. A public
 * type registers its access before its first instance exists.
 */
public final class Handles {

    private static volatile @Nullable Bufs bufs;
    private static volatile @Nullable Maps maps;
    private static volatile @Nullable RemoteEvents remoteEvents;

    private Handles() {}

    /** Access to {@link Buf}. */
    public interface Bufs {
        BufElement list(Buf buf);
    }

    /** Access to {@link Mmap}. */
    public interface Maps {
        MapState state(Mmap map);
    }

    /** Access to {@link RemoteSyncEvent}. */
    public interface RemoteEvents {
        RemoteEvent inside(RemoteSyncEvent event);
    }

    /** Called before an owner of buffers is created, after a check of the stack. */
    public static void setBufs(Bufs access) {
        bufs = access;
        BufAccess.initialize();
    }

    /** Called before a map is created, after a check of the stack. */
    public static void setMaps(Maps access) {
        maps = access;
        MapAccess.initialize();
    }

    /** Called by {@link RemoteSyncEvent} before an event is imported. */
    public static void setRemoteEvents(RemoteEvents access) {
        remoteEvents = access;
    }

    /**
     * Returns the first element of the list that a buffer represents. Allocates nothing.
     *
     * @throws IllegalStateException if the buffer is closed, part of a longer list, or used by the wrong thread
     */
    public static BufElement list(Buf buf) {
        Objects.requireNonNull(buf, "buf");
        return BufAccess.BUFS.list(buf);
    }

    /** Returns the internal state of a map. Allocates nothing. */
    public static MapState state(Mmap map) {
        return MapAccess.MAPS.state(map);
    }

    /**
     * Returns a range of a map for a user.
     *
     * @param address of the first byte
     * @throws IllegalStateException if the program has no reference to the map any more
     */
    public static MapRange range(MapState map, long address, long bytes) {
        if (map.resource().owner() instanceof Mmap owner) {
            return new MapRange(owner, address - map.base(), bytes);
        }
        throw new IllegalStateException("The program has no reference to " + map + " any more");
    }

    /** See {@link BufAccess}. */
    private static final class MapAccess {

        static final Maps MAPS = Objects.requireNonNull(maps, "no map was created");

        /** Initializes the class; the caller has checked the stack. */
        static void initialize() {}
    }

    /** A constant that the JIT compiler can inline. Its initialization must not fail: no buffer could be used after that. */
    private static final class BufAccess {

        static final Bufs BUFS = Objects.requireNonNull(bufs, "no buffer was created");

        /** Initializes the class; the caller has checked the stack. */
        static void initialize() {}
    }

    /** Returns the internal view of a peer's event. Allocates nothing. */
    public static RemoteEvent inside(RemoteSyncEvent event) {
        Objects.requireNonNull(event, "event");
        return Objects.requireNonNull(remoteEvents, "no event was imported").inside(event);
    }
}
