/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.remote;

import io.docajava.core.memory.Mmap;
import io.docajava.core.memory.MmapExport;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** A process on the DPU that imports and copies each export that it reads, and reports whether it has the bytes of seed 1. */
final class ImportRounds {

    private ImportRounds() {}

    public static void main(String[] arguments) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (DpuLab lab = new DpuLab()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                System.out.println(
                        line.equals("resources") ? Resources.now().print() : String.valueOf(round(lab, line)));
            }
        }
    }

    private static boolean round(DpuLab lab, String line) throws InterruptedException {
        MmapExport export = MmapExport.parse(Base64.getDecoder().decode(line));
        try (Mmap remote = Mmap.fromExport(lab.device, export)) {
            lab.memory.segment().fill((byte) 0);
            return lab.pull(remote) == export.length() && lab.has(1, export.length());
        }
    }
}
