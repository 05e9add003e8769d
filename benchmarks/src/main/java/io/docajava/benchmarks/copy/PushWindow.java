/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.copy;

/** As {@link RawWindow}, to the memory of another process. */
public class PushWindow extends RawWindow {

    @Override
    CopyLab.Remote remote() {
        return CopyLab.Remote.TARGET;
    }
}
