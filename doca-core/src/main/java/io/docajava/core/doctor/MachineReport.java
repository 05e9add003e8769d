/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.doctor;

import io.docajava.core.memory.HugePageSize;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Report about the machine and this process.
 *
 * @param java the version of Java, such as {@code 25.0.1+8}
 * @param platform the operating system and the architecture, such as {@code Linux amd64}
 * @param side which side of the card's PCI bus this is; empty without a device
 * @param nativeAccess whether this JVM was started with native access for doca-ffi. A first call without this grant, of which
 *     Java warns, counts as one from then on
 * @param lockedMemory how much memory the process may lock; memory that a device works on is locked
 * @param hugePages the huge pages that there are, of each size
 */
public record MachineReport(
        String java,
        String platform,
        Optional<Side> side,
        boolean nativeAccess,
        LockedMemory lockedMemory,
        List<HugePages> hugePages) {

    /** Keeps its own copy of the list. */
    public MachineReport {
        Objects.requireNonNull(java, "java");
        Objects.requireNonNull(platform, "platform");
        Objects.requireNonNull(side, "side");
        Objects.requireNonNull(lockedMemory, "lockedMemory");
        Objects.requireNonNull(hugePages, "hugePages");
        hugePages = List.copyOf(hugePages);
    }

    /** The sides of a card's PCI bus. */
    public enum Side {
        /** The machine that the card sits in. */
        HOST,
        /** The processors on the card. */
        DPU
    }

    /**
     * The amount of memory that the process may lock.
     *
     * @param limit in bytes, {@code RLIMIT_MEMLOCK}; empty if there is none
     * @param privileged whether the process may go beyond it, {@code CAP_IPC_LOCK}
     */
    public record LockedMemory(OptionalLong limit, boolean privileged) {

        /** Checks the components. */
        public LockedMemory {
            Objects.requireNonNull(limit, "limit");
        }

        /** Returns whether the process may lock that many bytes. */
        public boolean allows(long bytes) {
            return privileged || limit.isEmpty() || limit.getAsLong() >= bytes;
        }
    }

    /**
     * The huge pages of one size.
     *
     * @param total how many the system has, used or free
     * @param free how many can be had
     */
    public record HugePages(HugePageSize size, long total, long free) {

        /** Checks the components. */
        public HugePages {
            Objects.requireNonNull(size, "size");
        }
    }
}
