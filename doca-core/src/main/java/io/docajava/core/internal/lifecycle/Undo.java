/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.lifecycle;

import io.docajava.core.internal.log.Throwables;

/** Undoes an attempt that has failed. */
public final class Undo {

    private Undo() {}

    /**
     * Takes each step, even if an earlier one fails. The failures of steps become suppressed exceptions of the failure of the
     * attempt, which the caller then throws.
     */
    public static void after(Throwable failure, Runnable... steps) {
        for (Runnable step : steps) {
            try {
                step.run();
            } catch (Throwable second) {
                Throwables.suppress(failure, second);
            }
        }
    }
}
