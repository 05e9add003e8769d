/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.testing.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that exceptions of callbacks are reported even if SLF4J has no provider. */
@Timeout(600)
class CallbackErrorsTest {

    @Test
    void arePrintedByTheJvm() throws Exception {
        List<String> output = new ChildJvm().run(ThrowingListener.class);

        assertThat(output)
                .contains("Exception in thread \"main\" java.lang.IllegalArgumentException: thrown at IDLE", "goes on");
    }

    @Test
    void reachTheHandlerOfTheThread() throws Exception {
        List<String> output = new ChildJvm().run(ThrowingListener.class, "handler");

        assertThat(output)
                .containsExactly("handler of main: java.lang.IllegalArgumentException: thrown at IDLE", "goes on");
    }

    @Test
    void leaveTheHandlerAloneWhereThereIsAProvider() throws Exception {
        List<String> output = new ChildJvm().logging().run(ThrowingListener.class, "handler");

        // The logging provider of these tests prints nothing by default.
        assertThat(output).containsExactly("goes on");
    }
}
