/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import io.docajava.core.memory.Access;
import org.jspecify.annotations.Nullable;

/** Derives the permissions of exports and devices from the access of a map. */
public final class Rights {

    /** Permissions that are assumed for an export that does not state any. */
    public static final Access ANY_EXPORT =
            Access.PCI_READ_WRITE.plus(Access.RDMA_READ).plus(Access.RDMA_WRITE).plus(Access.RDMA_ATOMIC);

    private static final int RDMA = Access.RDMA_READ.flags() | Access.RDMA_WRITE.flags() | Access.RDMA_ATOMIC.flags();

    private Rights() {}

    /** Returns whether maps with permissions can be exported to the other side of the PCI bus. */
    public static boolean arePciExportable(Access access) {
        return access.includes(Access.PCI_READ_ONLY) || access.includes(Access.PCI_READ_WRITE);
    }

    /** Returns whether maps with permissions can be exported to RDMA peers. */
    public static boolean areRdmaExportable(Access access) {
        return (access.flags() & RDMA) != 0;
    }

    /** Returns the permissions of a process that imports an export for the PCI bus. */
    public static Access overPci(Access access) {
        return Access.ofFlags(access.flags() & ~RDMA);
    }

    /** Returns the permissions of a peer that imports an export for RDMA. */
    public static Access overRdma(Access access) {
        return Access.ofFlags(access.flags() & RDMA);
    }

    /** Returns the permission that devices of this side lack to write; null if they may write. */
    public static @Nullable String missingForLocalWrites(Access access) {
        return access.includes(Access.PCI_READ_WRITE) ? null : missing(access, Access.LOCAL_READ_WRITE);
    }

    /** Returns the grants for processes that import an export with permissions. */
    public static Grants grants(Access access) {
        return new Grants(
                arePciExportable(access) ? null : Access.PCI_READ_ONLY.toString(),
                missing(access, Access.PCI_READ_WRITE),
                missing(access, Access.RDMA_READ),
                missing(access, Access.RDMA_WRITE),
                missing(access, Access.RDMA_ATOMIC));
    }

    private static @Nullable String missing(Access access, Access one) {
        return access.includes(one) ? null : one.toString();
    }
}
