/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.engine;

import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;

/** The future of an operation that the engine's thread submits. */
public final class OperationCompletion<T> extends Completion<T> {

    /** Initializes the class. The caller has checked the stack; a submission does not. */
    static void initialize() {}

    /** Creates a future that an operation of the engine will complete. */
    public OperationCompletion(ProgressEngine engine) {
        super(engine);
    }
}
