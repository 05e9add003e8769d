/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.testing.HostileException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UndoTest {

    @Test
    void takesAllStepsAndKeepsTheFailureOfTheAttempt() {
        List<String> taken = new ArrayList<>();
        IllegalStateException failure = new IllegalStateException("attempt");
        IllegalStateException first = new IllegalStateException("first step");
        AssertionError last = new AssertionError("last step");

        Undo.after(
                failure,
                () -> {
                    throw first;
                },
                () -> taken.add("second step"),
                () -> {
                    throw last;
                });

        assertThat(taken).containsExactly("second step");
        assertThat(failure).hasMessage("attempt").hasSuppressedException(first).hasSuppressedException(last);
    }

    @Test
    void acceptsAStepThatFailsWithTheSameException() {
        IllegalStateException failure = new IllegalStateException("attempt");

        Undo.after(failure, () -> {
            throw failure;
        });

        assertThat(failure).hasNoSuppressedExceptions();
    }

    @Test
    void callsNoMethodOfTheExceptions() {
        HostileException failure = new HostileException();
        HostileException second = new HostileException();

        Undo.after(
                failure,
                () -> {
                    throw failure;
                },
                () -> {
                    throw second;
                });

        assertThat(failure.getSuppressed()).hasSize(1);
        assertThat(failure.getSuppressed()[0]).isSameAs(second);
    }
}
