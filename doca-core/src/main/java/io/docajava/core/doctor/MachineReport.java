/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.doctor;

import io.docajava.core.internal.memory.LockLimit;
import io.docajava.core.memory.HugePageSize;
import io.docajava.ffi.argument.Elements;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Report about the machine and this process.
 *
 * @param java the version of Java, such as {@code 25.0.1+8}
 * @param platform the operating system and the architecture, such as {@code Linux amd64}
 * @param side the side of the card's PCI bus on which this machine is; empty without a device
 * @param nativeAccess whether this JVM has granted native access to doca-ffi; also true after a first native call without it,
 *     about which Java warns
 * @param lockedMemory the amount of memory that the process may lock; memory that is registered with a device is locked
 * @param hugePages the huge pages of each size that this machine supports
 */
public record MachineReport(
        String java,
        String platform,
        Optional<Side> side,
        boolean nativeAccess,
        LockedMemory lockedMemory,
        List<HugePages> hugePages) {

    /** Copies the list. */
    public MachineReport {
        Objects.requireNonNull(java, "java");
        Objects.requireNonNull(platform, "platform");
        Objects.requireNonNull(side, "side");
        Objects.requireNonNull(lockedMemory, "lockedMemory");
        hugePages = Elements.copy(hugePages, "hugePages");
    }

    /** The sides of a card's PCI bus. */
    public enum Side {
        /** The machine that contains the card. */
        HOST,
        /** The processors on the card. */
        DPU
    }

    /**
     * The amount of memory that the process may lock.
     *
     * @param limit in bytes ({@code RLIMIT_MEMLOCK}); empty if there is no limit
     * @param privileged whether the process may exceed the limit ({@code CAP_IPC_LOCK} in the user namespace of the
     *     machine)
     */
    public record LockedMemory(OptionalLong limit, boolean privileged) {

        /** Checks the components. */
        public LockedMemory {
            Objects.requireNonNull(limit, "limit");
        }

        /**
         * {@return whether the process may lock an amount of memory} Memory that is already locked is not subtracted.
         *
         * @param bytes the amount, 0 or more
         */
        public boolean allows(long bytes) {
            return new LockLimit(limit, privileged).allows(bytes);
        }
    }

    /**
     * The huge pages of one size.
     *
     * @param size of each page
     * @param total the number of pages that the system has, used or free
     * @param free the number of pages that are free
     */
    public record HugePages(HugePageSize size, long total, long free) {

        /** Checks the components. */
        public HugePages {
            Objects.requireNonNull(size, "size");
        }
    }
}
