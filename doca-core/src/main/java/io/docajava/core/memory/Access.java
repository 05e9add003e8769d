/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Permissions for the memory of a map ({@code enum doca_access_flag}), combined by {@link #plus}. */
public final class Access {

    /** Devices of this side read. All other permissions include this one. */
    public static final Access LOCAL_READ_ONLY = new Access(0);
    /** Devices of this side read and write. */
    public static final Access LOCAL_READ_WRITE = new Access(1);
    /** A remote peer reads by RDMA. */
    public static final Access RDMA_READ = new Access(2);
    /** A remote peer writes by RDMA. A map also needs {@link #LOCAL_READ_WRITE}. */
    public static final Access RDMA_WRITE = new Access(4);
    /** A remote peer performs atomic operations by RDMA. A map also needs {@link #LOCAL_READ_WRITE}. */
    public static final Access RDMA_ATOMIC = new Access(8);
    /** The other side of the PCI bus reads. Excludes the other PCI permissions. */
    public static final Access PCI_READ_ONLY = new Access(16);
    /** The other side of the PCI bus and devices of this side read and write. Excludes the other PCI permissions. */
    public static final Access PCI_READ_WRITE = new Access(32);
    /** Writes over the PCI bus may be reordered. Excludes the other PCI permissions, and thus exports over the PCI bus. */
    public static final Access PCI_RELAXED_ORDERING = new Access(64);

    private static final List<String> NAMES = List.of(
            "LOCAL_READ_WRITE",
            "RDMA_READ",
            "RDMA_WRITE",
            "RDMA_ATOMIC",
            "PCI_READ_ONLY",
            "PCI_READ_WRITE",
            "PCI_RELAXED_ORDERING");

    private static final int ALL = (1 << NAMES.size()) - 1;

    /** The SDK accepts at most one of them. */
    private static final List<Access> PCI = List.of(PCI_READ_ONLY, PCI_READ_WRITE, PCI_RELAXED_ORDERING);

    private final int flags;

    private Access(int flags) {
        this.flags = flags;
    }

    /**
     * {@return the combination of these permissions with others}
     *
     * @param other one permission, or several
     * @throws IllegalArgumentException if the result has more than one PCI permission
     */
    public Access plus(Access other) {
        Objects.requireNonNull(other, "other");
        return ofFlags(flags | other.flags);
    }

    /**
     * {@return whether these permissions include all of the given ones}
     *
     * @param other the permissions to look for; LOCAL_READ_ONLY is always included
     */
    public boolean includes(Access other) {
        Objects.requireNonNull(other, "other");
        return (flags & other.flags) == other.flags;
    }

    boolean permitsWrites() {
        return (flags & (LOCAL_READ_WRITE.flags | RDMA_WRITE.flags | RDMA_ATOMIC.flags | PCI_READ_WRITE.flags)) != 0;
    }

    /** Returns whether these permissions permit more than use by devices of this side. */
    boolean isRemote() {
        return (flags & ~LOCAL_READ_WRITE.flags) != 0;
    }

    /** Refuses combinations that the SDK refuses for a map. */
    void checkForMap() {
        if ((flags & (RDMA_WRITE.flags | RDMA_ATOMIC.flags)) != 0 && !includes(LOCAL_READ_WRITE)) {
            throw new IllegalArgumentException("An Mmap with access " + this
                    + " needs LOCAL_READ_WRITE as well: peers can write only to memory that this side can write to");
        }
    }

    /**
     * {@return the permissions of a number in the C ABI}
     *
     * @param flags a combination of {@code enum doca_access_flag}
     * @throws IllegalArgumentException if DOCA has no such permission, or if permissions exclude each other
     */
    public static Access ofFlags(int flags) {
        if ((flags & ~ALL) != 0) {
            throw new IllegalArgumentException("There is no access 0x" + Integer.toHexString(flags & ~ALL));
        }
        Access access = new Access(flags);
        List<Access> pci = PCI.stream().filter(access::includes).toList();
        if (pci.size() > 1) {
            throw new IllegalArgumentException(pci.get(0) + " and " + pci.get(1) + " exclude each other");
        }
        return access;
    }

    /** {@return the number in the C ABI, a combination of {@code enum doca_access_flag}} */
    public int flags() {
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

    /** Returns the names, such as {@code LOCAL_READ_WRITE|PCI_READ_WRITE}. */
    @Override
    public String toString() {
        if (flags == 0) {
            return "LOCAL_READ_ONLY";
        }
        return IntStream.range(0, NAMES.size())
                .filter(bit -> (flags & 1 << bit) != 0)
                .mapToObj(NAMES::get)
                .collect(Collectors.joining("|"));
    }
}
