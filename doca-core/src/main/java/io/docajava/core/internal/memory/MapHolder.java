/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

/**
 * The native buffers of one context that lie over whole maps, and stay when their operation has ended. A map that closes asks for
 * those of idle operations back.
 */
public interface MapHolder {

    /** Returns the name of the context in messages. */
    String description();

    /**
     * Gives back all buffers over a map that no operation in flight uses. The map accepts no new ones meanwhile.
     *
     * @return the number of buffers over the map that are left
     * @throws IllegalStateException if the calling thread cannot do that
     */
    int release(MapState map);
}
