/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

/** Makes calls on a thread named {@code other}. */
final class Foreign {

    private Foreign() {}

    /** Returns the exception that a call throws on that thread, or null. */
    static @Nullable Throwable thrownBy(ThrowingCallable call) throws InterruptedException {
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        Thread thread = new Thread(() -> thrown.set(Assertions.catchThrowable(call)), "other");
        thread.start();
        thread.join();
        return thrown.get();
    }
}
