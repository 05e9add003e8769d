/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The elements of an inventory or a pool, taken or free. Used by one thread. */
public final class BufElements {

    /** The elements of all open inventories and pools, so that a map can name the owners of the buffers in it. */
    private static final Set<BufElements> OPEN = ConcurrentHashMap.newKeySet();

    private final String owner;

    /** All elements. Volatile, since other threads search for the owners of buffers in a map. */
    private volatile BufElement[] all;
    /** The elements of {@link #pool} from this index on are free. */
    private BufElement[] pool;

    private int taken;

    /**
     * Creates free elements.
     *
     * @param owner names the inventory or pool in messages: {@code BufInventory of 8}
     * @param size the number of elements
     */
    public BufElements(String owner, int size) {
        this.owner = owner;
        this.all = extend(new BufElement[0], size);
        this.pool = all.clone();
    }

    public String owner() {
        return owner;
    }

    /** Makes the owner visible to {@link #ownersIn}. */
    public void open() {
        OPEN.add(this);
    }

    public void close() {
        OPEN.remove(this);
    }

    public int size() {
        return pool.length;
    }

    /** Returns the number of elements that are not taken. */
    public int available() {
        return pool.length - taken;
    }

    /** Takes a free element, which must exist, and makes it the mirror of a buffer. */
    public BufElement take(MapState map, long pointer, long address, long length, long dataLength) {
        BufElement element = pool[taken++];
        element.take(map, pointer, address, length, dataLength);
        return element;
    }

    /** Returns all elements of a list, given by its first element. */
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
     * @param expandNative expands the native object after the elements are allocated; may throw
     */
    public void expand(int more, Runnable expandNative) {
        BufElement[] expanded = extend(all, more);
        BufElement[] newPool = Arrays.copyOf(pool, expanded.length);
        System.arraycopy(expanded, pool.length, newPool, pool.length, more);
        expandNative.run();
        all = expanded;
        pool = newPool;
    }

    /** Returns the first elements of all taken lists. */
    public List<BufElement> lists() {
        return Arrays.stream(all)
                .filter(element -> element.isTaken() && element.isFirst())
                .toList();
    }

    /**
     * Returns the owners of the buffers that point into a map, as part of a message: {@code " of BufInventory of 8"}. Some or all
     * may be missing, since other threads take and return buffers meanwhile.
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
