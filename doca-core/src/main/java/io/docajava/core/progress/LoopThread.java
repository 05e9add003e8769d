/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import io.docajava.core.internal.lifecycle.LeakReport;
import io.docajava.core.internal.lifecycle.OwningThread;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The thread of a {@link ProgressLoop}. It never waits for another loop without a time limit. */
final class LoopThread extends Thread implements OwningThread {

    /** The open objects of this thread, in the order of creation. */
    private final Set<AutoCloseable> owned = Collections.synchronizedSet(new LinkedHashSet<>());

    private final @Nullable Throwable started;

    LoopThread(Runnable life, String name, boolean daemon) {
        super(null, life, name);
        setDaemon(daemon);
        started = LeakReport.trace("Here ProgressLoop \"" + name + "\" was started");
    }

    @Override
    public @Nullable Throwable started() {
        return started;
    }

    @Override
    public void own(AutoCloseable object) {
        owned.add(object);
    }

    @Override
    public void release(AutoCloseable object) {
        owned.remove(object);
    }

    /** Returns the objects that remain to be closed, the newest first. */
    List<AutoCloseable> owned() {
        synchronized (owned) {
            return new ArrayList<>(owned).reversed();
        }
    }
}
