/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.BufImpl;
import io.docajava.core.memory.Buf;
import io.docajava.core.progress.Completion;
import io.docajava.ffi.hot.BufCalls;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.CompletionModes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that the data segments of Java reach the SDK: either after a copy, or before the next copy. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class DataLengthTest extends CompletionModes {

    @Test
    void growsWithEachCopyThatSucceeds() throws Exception {
        try (Lab lab = new Lab()) {
            Buf source = lab.data(0, 30);
            Buf target = lab.space(1000, 100);
            for (int i = 1; i <= 3; i++) {
                assertThat(lab.dma.copy(source, target).await()).isEqualTo(30);
                assertThat(target.dataLength()).isEqualTo(30L * i);
                assertSame(source);
                assertSame(target);
            }
            lab.assertCopied(0, 1060, 30);
        }
    }

    @Test
    void staysWhenTheCopyOrAnotherOneFails() throws Exception {
        try (Lab lab = new Lab(16)) {
            Buf good = lab.data(0, 30);
            Buf bad = lab.data(100, 30);
            List<Buf> targets = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                Buf target = lab.space(1000 + i * 100L, 100);
                assertThat(lab.dma.copy(good, target).await()).isEqualTo(30);
                targets.add(target);
            }
            Lab.spoil(bad);
            List<Completion<Long>> copies = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                copies.add(lab.dma.copy(i == 3 ? bad : good, targets.get(i)));
            }
            lab.drain();
            Lab.repair(bad);
            assertThat(copies.get(3)).isCompletedExceptionally();
            for (int i = 0; i < 16; i++) {
                assertThat(targets.get(i).dataLength()).isEqualTo(copies.get(i).isCompletedExceptionally() ? 30 : 60);
                assertSame(targets.get(i));
            }

            lab.dma.restart();
            Buf target = targets.get(3);
            assertThat(lab.dma.copy(bad, target).await()).isEqualTo(30);
            lab.assertCopied(100, 1330, 30);
            assertSame(target);
        }
    }

    @Test
    void ofAListIsReportedWhenItIsUsedAgain() throws Exception {
        try (Lab lab = new Lab()) {
            Buf first = lab.space(1000, 100);
            Buf second = lab.space(2000, 100);
            Buf list = first.append(second);
            assertThat(lab.dma.copy(lab.data(0, 150), list).await()).isEqualTo(150);
            assertThat(lab.dma.copy(list, lab.space(3000, 150)).await()).isEqualTo(150);
            assertSame(first);
            second.detach();
            assertSame(second);
            assertThat(first.dataLength()).isEqualTo(100);
            assertThat(second.dataLength()).isEqualTo(50);
        }
    }

    private static void assertSame(Buf buf) {
        BufElement element = BufImpl.list(buf);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
            assertThat(BufCalls.dataLength(element.pointer(), out.address())).isZero();
            assertThat(out.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(buf.dataLength());
            assertThat(BufCalls.data(element.pointer(), out.address())).isZero();
            assertThat(out.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(element.data());
        }
    }
}
