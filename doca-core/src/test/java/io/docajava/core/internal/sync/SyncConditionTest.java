/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.docajava.core.internal.sync.SyncCondition.Relation;
import org.junit.jupiter.api.Test;

/** Tests the comparisons of waits. */
class SyncConditionTest {

    private static SyncCondition all(Relation relation, long number) {
        return new SyncCondition(relation, number, -1);
    }

    @Test
    void comparesUnsigned() {
        assertThat(all(Relation.GREATER, 5).holds(6)).isTrue();
        assertThat(all(Relation.GREATER, 5).holds(5)).isFalse();
        assertThat(all(Relation.GREATER, 5).holds(-1)).isTrue();
        assertThat(all(Relation.GREATER, -2).holds(1)).isFalse();
        assertThat(all(Relation.EQUAL, -1).holds(-1)).isTrue();
        assertThat(all(Relation.EQUAL, 1).holds(2)).isFalse();
        assertThat(all(Relation.NOT_EQUAL, 1).holds(2)).isTrue();
        assertThat(all(Relation.NOT_EQUAL, 1).holds(1)).isFalse();
    }

    @Test
    void looksAtTheMaskedBitsOnly() {
        assertThat(new SyncCondition(Relation.GREATER, 5, 0xff).holds(0x106)).isTrue();
        assertThat(new SyncCondition(Relation.GREATER, 5, 0xff).holds(0x105)).isFalse();
        assertThat(new SyncCondition(Relation.EQUAL, 0x100, 0xff00).holds(0x1ff))
                .isTrue();
        assertThat(new SyncCondition(Relation.NOT_EQUAL, 0x100, 0xff00).holds(0x1ff))
                .isFalse();
    }

    @Test
    void hasAValueForWhichItDoesNotHold() {
        for (long mask : new long[] {-1, 0xff, 0xff00, Long.MIN_VALUE}) {
            for (long number : new long[] {0, 1, 0x100, 0x101, -1, Long.MIN_VALUE}) {
                long fitting = number & mask;
                for (Relation relation : Relation.values()) {
                    SyncCondition condition = new SyncCondition(relation, fitting, mask);
                    assertThat(condition.holds(condition.unmet()))
                            .as(condition.toString())
                            .isFalse();
                }
            }
        }
    }

    @Test
    void refusesWhatNeverHolds() {
        assertNever(all(Relation.GREATER, -1), "greater than 18446744073709551615");
        assertNever(new SyncCondition(Relation.GREATER, 0xff, 0xff), "greater than 255 in the bits 0xff");
        assertNever(new SyncCondition(Relation.GREATER, 0, 0), "greater than 0 in the bits 0x0");
        assertNever(new SyncCondition(Relation.EQUAL, 0x100, 0xff), "equal to 256 in the bits 0xff");
        assertNever(new SyncCondition(Relation.NOT_EQUAL, 0, 0), "other than 0 in the bits 0x0");
        assertThatNoException().isThrownBy(() -> {
            all(Relation.GREATER, -2).check();
            new SyncCondition(Relation.GREATER, 0xfe, 0xff).check();
            new SyncCondition(Relation.EQUAL, 0xff, 0xff).check();
            new SyncCondition(Relation.NOT_EQUAL, 1, 0).check();
        });
    }

    private static void assertNever(SyncCondition condition, String words) {
        assertThatIllegalArgumentException()
                .isThrownBy(condition::check)
                .withMessage("A wait for a value " + words + " would never end");
    }
}
