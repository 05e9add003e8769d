/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.copy;

/** Virtual threads that copy. */
public class VirtualLoopWindow extends LoopWindow {

    @Override
    Thread.Builder threads() {
        return Thread.ofVirtual();
    }
}
