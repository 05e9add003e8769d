/* SPDX-License-Identifier: Apache-2.0 */
package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.docajava.core.device.Device;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.PeerJvm;
import org.junit.jupiter.api.Test;

@DocaEmulator
class CopyTest {

    @Test
    void copies() throws InterruptedException {
        assertEquals("some text", Copy.run());
    }

    @Test
    void meetsFaults(EmulatorFaults faults) {
        faults.replace(EmulatorFaults.builder().failTask(1, "IO_FAILED"));
        assertThrows(Exception.class, Copy::run);
    }

    @Test
    void hasAPeer(PeerJvm host) throws InterruptedException {
        host.role(DocaEmulator.Role.HOST)
                .start(test -> test.send(test.receive() + Device.list().getFirst().displayName()));
        assertEquals("first: 0000:0b:00.0 (mlx5_0)", host.ask("first: "));
    }
}
