/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.testing;

import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

/** Makes calls on a thread named {@code other}. */
public final class OtherThread {

    private OtherThread() {}

    /** Returns the exception that a call throws on that thread, or null. */
    public static @Nullable Throwable thrownBy(ThrowingCallable call) throws InterruptedException {
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        Thread thread = new Thread(() -> thrown.set(Assertions.catchThrowable(call)), "other");
        thread.start();
        thread.join();
        return thrown.get();
    }
}
