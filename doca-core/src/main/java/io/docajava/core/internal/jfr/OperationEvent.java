/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** An operation from its submission to the delivery of its completion; a series is one event. Off by default. */
@Name("doca.Operation")
@Label("Operation")
@Category("DOCA")
@Description("An operation from its submission to the delivery of its completion")
@Enabled(false)
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
public final class OperationEvent extends Event {

    @Label("Type")
    private @Nullable String type;

    @Label("Context")
    private @Nullable String context;

    @Label("Bytes")
    @DataAmount
    private long bytes;

    @Label("Tasks")
    private int tasks;

    @Label("Succeeded")
    private boolean succeeded;

    OperationEvent() {}

    static OperationEvent start() {
        OperationEvent event = new OperationEvent();
        event.begin();
        return event;
    }

    /**
     * Ends the event.
     *
     * @param newType the function that allocates the task
     * @param newBytes the number of bytes that the operation moves
     * @param newTasks the number of native tasks
     */
    public void end(String newType, String newContext, long newBytes, int newTasks, boolean hasSucceeded) {
        end();
        if (shouldCommit()) {
            type = newType;
            context = newContext;
            bytes = newBytes;
            tasks = newTasks;
            succeeded = hasSucceeded;
            commit();
        }
    }
}
