/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.context.Batch;
import io.docajava.core.progress.Completion;
import io.docajava.ffi.DocaFunctionException;
import io.docajava.ffi.DocaLibrary;
import java.util.ArrayList;
import java.util.List;

/** Runs with an SDK that has neither flags nor ordered completions. */
@SuppressWarnings("try") // the block does not use the batch itself
final class GapsProbe {

    private GapsProbe() {}

    public static void main(String[] arguments) throws Exception {
        try (Lab lab = new Lab()) {
            for (Batch.Reports reports : Batch.Reports.values()) {
                List<Completion<Long>> copies = new ArrayList<>();
                try (Batch batch = lab.dma.batch(reports)) {
                    for (int i = 0; i < 3; i++) {
                        copies.add(lab.dma.copy(lab.data(0, 64), lab.space(1000 + i * 64L, 64)));
                    }
                }
                StringBuilder line = new StringBuilder(reports.toString());
                for (Completion<Long> copy : copies) {
                    line.append(' ').append(copy.await());
                }
                System.out.println(line);
            }
            try {
                DmaContext.builder(lab.device).orderedCompletions(true).start(lab.engine);
            } catch (DocaFunctionException e) {
                String version = DocaLibrary.load().version().toString();
                System.out.println("DocaFunctionException: "
                        + String.valueOf(e.getMessage()).replace(version, "VERSION"));
            }
            System.out.println("still usable: "
                    + lab.dma.copy(lab.data(0, 64), lab.space(5000, 64)).await());
        }
    }
}
