/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.doctor;

import io.docajava.core.doctor.MachineReport.HugePages;
import io.docajava.core.doctor.MachineReport.LockedMemory;
import io.docajava.core.internal.memory.LockLimit;
import io.docajava.core.memory.HugePageSize;
import io.docajava.core.memory.HugePagesException;
import java.nio.file.Path;
import java.util.List;

/** Facts about this process and the system, as Linux reports them. If Linux does not report a limit, there is none. */
final class Linux {

    private Linux() {}

    static LockedMemory lockedMemory() {
        return lockedMemory(Path.of("/proc/self"));
    }

    /** Reads the limit of the process with this folder in /proc. */
    static LockedMemory lockedMemory(Path process) {
        LockLimit limit = LockLimit.of(process);
        return new LockedMemory(limit.bytes(), limit.privileged());
    }

    static List<HugePages> hugePages() {
        try {
            return HugePageSize.supported().stream()
                    .map(size -> new HugePages(size, size.total(), size.free()))
                    .toList();
        } catch (HugePagesException e) {
            return List.of();
        }
    }
}
