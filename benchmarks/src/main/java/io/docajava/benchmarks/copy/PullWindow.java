/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.copy;

/** Like {@link BatchWindow}, from the memory of another process. */
public class PullWindow extends BatchWindow {

    @Override
    CopyLab.Remote remote() {
        return CopyLab.Remote.SOURCE;
    }
}
