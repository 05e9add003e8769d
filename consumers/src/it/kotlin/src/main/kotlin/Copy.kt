/* SPDX-License-Identifier: Apache-2.0 */
package com.example

import io.docajava.core.device.Device
import io.docajava.core.device.DeviceFilter
import io.docajava.core.memory.Access
import io.docajava.core.memory.Mmap
import io.docajava.core.progress.ProgressEngine
import io.docajava.dma.DmaContext

/** Copies a text by DMA, and returns the copy. */
fun copy(text: String): String =
    Device.open(DeviceFilter.pciAddress("03:00.0")).use { device ->
        ProgressEngine.create().use { engine ->
            Mmap.allocate(device, 1L shl 20, Access.LOCAL_READ_WRITE).use { memory ->
                DmaContext.builder(device).start(engine).use { dma ->
                    memory.segment().setString(0, text)
                    dma.copy(memory.range(0, 4096), memory.range(8192, 4096)).await()
                    memory.segment().getString(8192)
                }
            }
        }
    }
