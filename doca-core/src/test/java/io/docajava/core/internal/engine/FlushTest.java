/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

class FlushTest {

    /** If memory is short while one context is flushed, the tasks of the contexts behind it stay deferred until the next progress. */
    @Test
    void isRepeatedForAllContextsAfterAnError() throws Exception {
        try (EngineImpl engine = new EngineImpl()) {
            Field members = EngineImpl.class.getDeclaredField("members");
            members.setAccessible(true);
            EngineMembers contexts = (EngineMembers) members.get(engine);
            int[] flushes = new int[2];
            contexts.add(
                    context(() -> {
                        if (++flushes[0] == 1) {
                            throw new OutOfMemoryError("as a test");
                        }
                    }),
                    success -> {});
            contexts.add(context(() -> flushes[1]++), success -> {});
            engine.flushLater();
            assertThatThrownBy(engine::flushContexts).isInstanceOf(OutOfMemoryError.class);
            engine.flushContexts();
            engine.flushContexts();
            assertThat(flushes).containsExactly(2, 1);
        }
    }

    private static EngineContext context(Runnable flush) {
        return (EngineContext) Proxy.newProxyInstance(
                FlushTest.class.getClassLoader(), new Class<?>[] {EngineContext.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("flushTasks")) {
                        flush.run();
                    }
                    return method.getReturnType() == Activity.class ? new Activity() : null;
                });
    }
}
