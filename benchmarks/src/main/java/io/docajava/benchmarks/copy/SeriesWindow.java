/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.copy;

import io.docajava.core.progress.ProgressEngine;
import io.docajava.dma.DmaContext;
import io.docajava.dma.DmaSeries;

/** A series that is prepared once and submitted again when all of its copies have completed. */
@SuppressWarnings("NullAway.Init") // JMH calls open() before all else
public class SeriesWindow extends CopyWindow {

    private DmaContext dma;
    private CopyLab lab;
    private DmaSeries series;

    @Override
    void prepare(CopyLab copies) {
        dma = copies.dma;
        lab = copies;
    }

    @Override
    protected void submitAll() {
        series = dma.series(lab.sourceRanges(), lab.targetRanges());
        series.submit();
    }

    @Override
    protected void round(ProgressEngine progress) {
        progress.progress();
        if (series.isDone()) {
            if (series.failure().isPresent()) {
                fail(series.failure().get());
            } else if (next(depth)) {
                series.submit();
            }
        }
    }

    @Override
    protected void endIteration() {
        series.close();
    }
}
