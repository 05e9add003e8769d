/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.docajava.core.memory.Buf;
import io.docajava.junit.DocaExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that a task, which a batch submits again without a check while its buffers are unchanged, is checked after a change. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class CheckedAgainTest {

    private Lab lab;
    private Buf source;
    private Buf target;
    private DmaTask task;

    @BeforeEach
    void submitTwice() throws Exception {
        lab = new Lab();
        source = lab.data(0, 64);
        target = lab.space(1000, 64);
        task = lab.dma.task(source, target);
        for (int round = 0; round < 2; round++) {
            target.clear();
            submit(task);
            lab.drain();
            assertThat(task.bytes()).isEqualTo(64);
        }
        target.clear();
    }

    @AfterEach
    void close() {
        lab.close();
    }

    private void submit(DmaTask submitted) {
        submitted.submit();
        lab.dma.flush();
    }

    private void assertRefused(Class<? extends RuntimeException> type, String message) throws Exception {
        assertThatExceptionOfType(type).isThrownBy(() -> submit(task)).withMessageStartingWith(message);
        lab.drain();
    }

    @Test
    void aTargetThatWasMadeShorter() throws Exception {
        target.reuseAsSpace(1000, 63);
        assertRefused(
                IllegalArgumentException.class, "The target has room for 63 bytes behind its data; the source has 64");
    }

    @Test
    void aTargetThatWasMovedOverTheSource() throws Exception {
        target.reuseAsSpace(63, 64);
        assertRefused(IllegalArgumentException.class, "The target would be written over the source: ");
    }

    @Test
    void aTargetThatHasData() throws Exception {
        target.setData(0, 1);
        assertRefused(
                IllegalArgumentException.class, "The target has room for 63 bytes behind its data; the source has 64");
    }

    @Test
    void aSourceThatWasMadeLonger() throws Exception {
        source.reuseAsData(0, 65);
        assertRefused(
                IllegalArgumentException.class, "The target has room for 64 bytes behind its data; the source has 65");
    }

    @Test
    void aSourceThatBeginsElsewhere() throws Exception {
        source.reuseAsData(937, 64);
        assertRefused(IllegalArgumentException.class, "The target would be written over the source: ");
    }

    @Test
    void aTargetThatAnotherTaskUses() throws Exception {
        DmaTask other = lab.dma.task(source, target);
        submit(other);
        assertRefused(IllegalStateException.class, "The target is used by another copy in flight");
    }

    @Test
    void aSourceThatAnotherTaskWritesTo() throws Exception {
        Buf first = lab.data(2000, 32);
        source.setData(0, 32);
        submit(task);
        lab.drain();
        target.clear();
        submit(task);
        lab.drain();
        target.clear();
        DmaTask other = lab.dma.task(first, source);
        submit(other);
        assertRefused(IllegalStateException.class, "The source is the target of another copy in flight");
    }

    @Test
    void aTargetThatWasMovedElsewhereIsWrittenTo() throws Exception {
        target.reuseAsSpace(5000, 64);
        submit(task);
        lab.drain();
        lab.assertCopied(0, 5000, 64);
    }

    @Test
    void aSourceThatAnotherTaskHasFilledWithLess() throws Exception {
        source.clear();
        submit(lab.dma.task(lab.data(2000, 32), source));
        lab.drain();
        submit(task);
        lab.drain();
        assertThat(task.bytes()).isEqualTo(32);
        assertThat(target.dataLength()).isEqualTo(32);
        lab.assertCopied(2000, 1000, 32);
    }

    @Test
    void aSourceThatWasMadeAList() throws Exception {
        target.reuseAsSpace(1000, 80);
        submit(task);
        lab.drain();
        target.clear();
        source.append(lab.data(2000, 16));
        submit(task);
        lab.drain();
        assertThat(task.bytes()).isEqualTo(80);
        assertThat(target.dataLength()).isEqualTo(80);
        lab.assertCopied(0, 1000, 64);
        lab.assertCopied(2000, 1064, 16);
    }

    @Test
    void aTargetThatWasMadeAList() throws Exception {
        target.append(lab.space(2000, 64));
        assertRefused(IllegalArgumentException.class, "The target is a list of 2 buffers");
    }
}
