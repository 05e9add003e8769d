/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.docajava.core.memory.MmapExport;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that calls which read or write files refuse to start on a nearly full stack. A class whose initialization overflows
 * the stack, even one of the JDK, cannot be used again in the same JVM.
 */
@Timeout(600)
class DeepStackTest {

    private static final MmapExport EXPORT = MmapExport.of(new byte[] {1, 2, 3}, 4096, 4096);

    /** Less than a call needs, and enough for the thread itself. */
    private static final long SMALL_STACK = 192 * 1024;

    @TempDir
    private Path folder;

    @Test
    void nothingIsWrittenWhereTheStackIsAllButFull() throws Exception {
        Path file = folder.resolve("export");
        assertThat(thrownOnSmallStack(() -> EXPORT.save(file))).isInstanceOf(StackOverflowError.class);
        assertThat(folder).isEmptyDirectory();
        EXPORT.save(file);
        assertThat(thrownOnSmallStack(() -> MmapExport.load(file))).isInstanceOf(StackOverflowError.class);
        assertThat(MmapExport.load(file)).isEqualTo(EXPORT);
    }

    private static Throwable thrownOnSmallStack(ThrowingCallable call) throws Exception {
        FutureTask<Throwable> task = new FutureTask<>(() -> catchThrowable(call));
        new Thread(null, task, "small", SMALL_STACK).start();
        return task.get();
    }
}
