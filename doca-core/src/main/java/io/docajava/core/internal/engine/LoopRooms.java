/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The rooms of a loop. Any thread may call, unless a method says otherwise. */
public final class LoopRooms {

    private final int size;
    private final Set<LoopRoom> rooms = ConcurrentHashMap.newKeySet();
    /** The rooms to update; used by the loop's thread only. */
    private final List<LoopRoom> changed = new ArrayList<>();

    private volatile boolean ended;

    /** @param size the number of places of each room */
    public LoopRooms(int size) {
        this.size = size;
    }

    /** Adds a room. {@code name} names it in messages. */
    public LoopRoom add(String name) {
        LoopRoom room = new LoopRoom(this, name, size);
        rooms.add(room);
        // The order matters: the end sets the flag before it opens the rooms.
        if (ended) {
            room.open();
        }
        return room;
    }

    void remove(LoopRoom room) {
        rooms.remove(room);
    }

    /** Called by the loop's thread. */
    void changed(LoopRoom room) {
        changed.add(room);
    }

    /** Lets other threads see what has changed since the last call. Called by the loop's thread. */
    public void update() {
        if (!changed.isEmpty()) {
            changed.forEach(LoopRoom::update);
            changed.clear();
        }
    }

    /** Returns the number of places that are taken. */
    public int taken() {
        return rooms.stream().mapToInt(LoopRoom::taken).sum();
    }

    /** Releases all waiting threads when the loop accepts no more work; they then check whether it is closed. */
    public void end() {
        ended = true;
        rooms.forEach(LoopRoom::open);
    }
}
