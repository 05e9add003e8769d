/* SPDX-License-Identifier: Apache-2.0 */
package com.example

import io.docajava.core.context.TaskFailedException
import io.docajava.emulator.EmulatorFaults
import io.docajava.junit.DocaEmulator
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Test

@DocaEmulator
class CopyTest {
    @Test
    fun copies() = assertEquals("some text", copy("some text"))

    @Test
    fun meetsFaults(faults: EmulatorFaults) {
        faults.replace(EmulatorFaults.builder().failTask(1, "IO_FAILED"))
        assertThrows(TaskFailedException::class.java) { copy("some text") }
    }
}
