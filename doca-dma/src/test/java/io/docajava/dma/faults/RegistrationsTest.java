/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.junit.DocaEmulator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests memory that the device has no room to register. */
@Timeout(600)
@SuppressWarnings("try")
@DocaEmulator
class RegistrationsTest {

    private static void assertNoMemory(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(DocaCallException.class, failure -> {
            assertThat(failure.error()).isEqualTo(DocaError.NO_MEMORY);
            assertThat(failure.function()).isEqualTo("doca_mmap_start");
            assertThat(failure).hasMessageStartingWith("Mapping 64 bytes: doca_mmap_start failed with");
        });
    }

    @Test
    void mapsThatCannotBeMadeLeaveNothingBehind() {
        try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"))) {
            try (EmulatorFaults faults =
                            EmulatorFaults.builder().registrations(2).inject();
                    Mmap first = Mmap.allocate(device, 64, Access.LOCAL_READ_WRITE)) {
                Mmap second = Mmap.allocate(device, 64, Access.LOCAL_READ_WRITE);
                for (int i = 0; i < 3; i++) {
                    assertNoMemory(() -> Mmap.allocate(device, 64, Access.LOCAL_READ_WRITE));
                }
                second.close();
                try (Mmap third = Mmap.allocate(device, 64, Access.LOCAL_READ_WRITE)) {
                    third.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
                    assertNoMemory(() -> Mmap.allocate(device, 64, Access.LOCAL_READ_WRITE));
                }
                assertThat(first.segment().byteSize()).isEqualTo(64);
            }
            Mmap.allocate(device, 64, Access.LOCAL_READ_WRITE).close();
            // Closing the device succeeds only if no map still uses it.
        }
    }

    @Test
    void memoryOfOthersIsGivenBackToThem() {
        try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
                Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(64, 64);
            try (EmulatorFaults faults =
                    EmulatorFaults.builder().registrations(0).inject()) {
                assertNoMemory(() -> Mmap.registerUnchecked(device, memory, Access.LOCAL_READ_WRITE));
            }
            Mmap.registerUnchecked(device, memory, Access.LOCAL_READ_WRITE).close();
        }
    }
}
