/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import io.docajava.samples.cli.SampleRunner;

/** Runs samples one after the other, as a part of their module. */
final class SampleSeries {

    private SampleSeries() {}

    /** Exits with the worst exit code of the samples. */
    public static void main(String[] samples) {
        int worst = 0;
        for (String sample : samples) {
            worst = Math.max(worst, new SampleRunner(Launcher.class).run(sample));
        }
        System.exit(worst);
    }
}
