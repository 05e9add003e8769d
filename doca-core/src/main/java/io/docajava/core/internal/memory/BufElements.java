/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** All elements of an inventory or a pool, and which of them are taken. One thread uses it. */
public final class BufElements {

    /** Those of the inventories and pools that are open, so that a map can name those that have buffers in it. */
    private static final Set<BufElements> OPEN = ConcurrentHashMap.newKeySet();

    private final String owner;

    /** Volatile for the threads that ask who has buffers in a map. */
    private volatile BufElement[] all;
    /** The elements not taken are those from here on. */
    private BufElement[] pool;

    private int taken;

    /**
     * Makes elements of which none is taken.
     *
     * @param owner what they are of, as errors name it: {@code BufInventory of 8}
     * @param size how many
     */
    public BufElements(String owner, int size) {
        this.owner = owner;
        this.all = extend(new BufElement[0], size);
        this.pool = all.clone();
    }

    /** Returns a description of the owner for error messages. */
    public String owner() {
        return owner;
    }

    /** Lets maps name the owner from now on. */
    public void open() {
        OPEN.add(this);
    }

    /** The owner is gone. */
    public void close() {
        OPEN.remove(this);
    }

    /** Returns the number of elements. */
    public int size() {
        return pool.length;
    }

    /** Returns the number of elements that are not taken. */
    public int available() {
        return pool.length - taken;
    }

    /** Takes an element, of which there must be one, and makes it the mirror of a buffer. */
    public BufElement take(MapState map, long pointer, long address, long length, long dataLength) {
        BufElement element = pool[taken++];
        element.take(map, pointer, address, length, dataLength);
        return element;
    }

    /** Takes the elements of the list of a first element back. */
    public void giveBack(BufElement list) {
        for (BufElement element = list; element != null; ) {
            BufElement next = element.next();
            element.giveBack();
            pool[--taken] = element;
            element = next;
        }
    }

    /**
     * Adds elements.
     *
     * @param expandNative makes room for as many buffers, when there is memory for their elements; may throw
     */
    public void expand(int more, Runnable expandNative) {
        BufElement[] expanded = extend(all, more);
        BufElement[] newPool = Arrays.copyOf(pool, expanded.length);
        System.arraycopy(expanded, pool.length, newPool, pool.length, more);
        expandNative.run();
        all = expanded;
        pool = newPool;
    }

    /** The first elements of all lists that are taken. */
    public List<BufElement> lists() {
        return Arrays.stream(all)
                .filter(element -> element.isTaken() && element.isFirst())
                .toList();
    }

    /**
     * The owners of the buffers that point into a map, as part of an error: {@code " of BufInventory of 8"}. Other threads
     * take and return buffers meanwhile, so that one may be missing, or all: then it is empty.
     */
    static String ownersIn(MapState map) {
        return OPEN.stream()
                .filter(elements -> elements.haveOneIn(map))
                .map(BufElements::owner)
                .distinct()
                .sorted()
                .collect(Collectors.collectingAndThen(
                        Collectors.joining(", "), owners -> owners.isEmpty() ? "" : " of " + owners));
    }

    private boolean haveOneIn(MapState map) {
        return Arrays.stream(all).anyMatch(element -> element.isIn(map));
    }

    private static BufElement[] extend(BufElement[] elements, int more) {
        BufElement[] extended = Arrays.copyOf(elements, elements.length + more);
        for (int i = elements.length; i < extended.length; i++) {
            extended[i] = new BufElement();
        }
        return extended;
    }
}
