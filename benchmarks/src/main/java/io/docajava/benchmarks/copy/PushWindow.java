/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.copy;

/** Like {@link BatchWindow}, to the memory of another process. */
public class PushWindow extends BatchWindow {

    @Override
    CopyLab.Remote remote() {
        return CopyLab.Remote.TARGET;
    }
}
