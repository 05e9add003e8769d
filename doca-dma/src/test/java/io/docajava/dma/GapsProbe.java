/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.progress.Completion;
import io.docajava.ffi.DocaFunctionException;
import io.docajava.ffi.DocaLibrary;
import java.util.ArrayList;
import java.util.List;

/** Runs with an SDK that has neither flags nor ordered completions. */
final class GapsProbe {

    private GapsProbe() {}

    public static void main(String[] arguments) throws Exception {
        for (boolean optimized : List.of(false, true)) {
            try (Lab lab = new Lab(builder -> builder.maxTasks(8).optimizeReports(optimized))) {
                List<Completion<Long>> copies = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    copies.add(lab.dma.copy(lab.data(0, 64), lab.space(1000 + i * 64L, 64)));
                }
                lab.dma.flush();
                StringBuilder line = new StringBuilder(optimized ? "TOGETHER" : "EACH");
                for (Completion<Long> copy : copies) {
                    line.append(' ').append(copy.await());
                }
                System.out.println(line);
            }
        }
        try (Lab lab = new Lab()) {
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
