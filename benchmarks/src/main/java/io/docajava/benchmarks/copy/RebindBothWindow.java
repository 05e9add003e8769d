/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.copy;

/** Like {@link RebindWindow}, with another source map each time as well. */
public class RebindBothWindow extends RebindWindow {

    @Override
    int sourceMaps() {
        return 64;
    }
}
