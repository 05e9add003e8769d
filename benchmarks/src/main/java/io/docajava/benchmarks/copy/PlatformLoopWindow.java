/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.copy;

/** Platform threads that copy. */
public class PlatformLoopWindow extends LoopWindow {

    @Override
    Thread.Builder threads() {
        return Thread.ofPlatform();
    }
}
