/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import java.util.ArrayList;
import java.util.List;

/** Who may do what with the memory of a map ({@code enum doca_access_flag}): one permission, or several by {@link #and}. */
public final class Access {

    /** This side's devices read. */
    public static final Access LOCAL_READ_ONLY = new Access(0);
    /** This side's devices read and write. */
    public static final Access LOCAL_READ_WRITE = new Access(1);
    /** A remote peer reads by RDMA. */
    public static final Access RDMA_READ = new Access(2);
    /** A remote peer writes by RDMA. */
    public static final Access RDMA_WRITE = new Access(4);
    /** A remote peer performs atomic operations by RDMA. */
    public static final Access RDMA_ATOMIC = new Access(8);
    /** The other side of the PCI bus reads. Excludes {@link #PCI_READ_WRITE}. */
    public static final Access PCI_READ_ONLY = new Access(16);
    /** The other side of the PCI bus reads and writes. Excludes {@link #PCI_READ_ONLY}. */
    public static final Access PCI_READ_WRITE = new Access(32);
    /** Writes over the PCI bus may pass one another. The SDK may refuse it together with another PCI permission. */
    public static final Access PCI_RELAXED_ORDERING = new Access(64);

    private static final List<String> NAMES = List.of(
            "LOCAL_READ_WRITE",
            "RDMA_READ",
            "RDMA_WRITE",
            "RDMA_ATOMIC",
            "PCI_READ_ONLY",
            "PCI_READ_WRITE",
            "PCI_RELAXED_ORDERING");

    private final int flags;

    private Access(int flags) {
        this.flags = flags;
    }

    /**
     * These permissions and others.
     *
     * @throws IllegalArgumentException if both PCI_READ_ONLY and PCI_READ_WRITE are among them
     */
    public Access and(Access other) {
        Access both = new Access(flags | other.flags);
        if (both.includes(PCI_READ_ONLY) && both.includes(PCI_READ_WRITE)) {
            throw new IllegalArgumentException("PCI_READ_ONLY and PCI_READ_WRITE exclude each other");
        }
        return both;
    }

    /** Whether all permissions of another value are among these. LOCAL_READ_ONLY is always. */
    public boolean includes(Access other) {
        return (flags & other.flags) == other.flags;
    }

    /** The number of these permissions in the C ABI. */
    int flags() {
        return flags;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Access access && access.flags == flags;
    }

    @Override
    public int hashCode() {
        return flags;
    }

    /** The names, such as {@code LOCAL_READ_WRITE|PCI_READ_WRITE}. */
    @Override
    public String toString() {
        if (flags == 0) {
            return "LOCAL_READ_ONLY";
        }
        List<String> names = new ArrayList<>();
        for (int bit = 0; bit < NAMES.size(); bit++) {
            if ((flags & 1 << bit) != 0) {
                names.add(NAMES.get(bit));
            }
        }
        return String.join("|", names);
    }
}
