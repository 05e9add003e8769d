/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.docajava.core.Doca;
import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.internal.log.SdkErrors;
import io.docajava.core.testing.LogCapture;
import io.docajava.core.testing.OtherThread;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class CallsTest {

    private static final int IN_USE = DocaError.IN_USE.code();
    private static final String FAILED = "Doing it: doca_it failed with DOCA_ERROR_IN_USE (Resource already in use)";

    @BeforeAll
    static void load() {
        Doca.load();
    }

    @AfterEach
    void settle() {
        Calls.discardErrors();
    }

    @Test
    void saysWhatFailedHowAndWhy() {
        SdkErrors.log("the cause");
        SdkErrors.log("what follows");

        assertThatExceptionOfType(DocaCallException.class)
                .isThrownBy(() -> Calls.check(IN_USE, "doca_it", "doing it"))
                .withMessage(FAILED + ": the cause; what follows")
                .satisfies(e -> {
                    assertThat(e.error()).isEqualTo(DocaError.IN_USE);
                    assertThat(e.code()).isEqualTo(3);
                    assertThat(e.function()).isEqualTo("doca_it");
                });
        assertThatExceptionOfType(DocaCallException.class)
                .isThrownBy(() -> Calls.check(IN_USE, "doca_it", "doing it"))
                .withMessage(FAILED);
    }

    @Test
    void keepsTheNumberThatItDoesNotKnow() {
        assertThatExceptionOfType(DocaCallException.class)
                .isThrownBy(() -> Calls.check(77, "doca_it", "doing it"))
                .withMessage("Doing it: doca_it failed with error 77 (Unrecognized error code)")
                .satisfies(e -> {
                    assertThat(e.error()).isEqualTo(DocaError.UNRECOGNIZED);
                    assertThat(e.code()).isEqualTo(77);
                });
    }

    @Test
    void doesNotBlameWhatWasLoggedByCallsBefore() {
        SdkErrors.log("of a call that was taken for success");
        Calls.check(0, "doca_it", "doing it");
        assertThat(Calls.failure(IN_USE, "doca_it", "doing it")).hasMessage(FAILED);

        SdkErrors.log("of a failure that was dealt with");
        Calls.discardErrors();
        assertThat(Calls.failure(IN_USE, "doca_it", "doing it")).hasMessage(FAILED);

        SdkErrors.log("of a failure that was thrown");
        Calls.failure(IN_USE, "doca_it", "doing it");
        assertThat(Calls.failure(IN_USE, "doca_it", "doing it")).hasMessage(FAILED);
    }

    @Test
    void doesNotBlameWhatOtherThreadsLog() throws InterruptedException {
        assertThat(OtherThread.thrownBy(() -> SdkErrors.log("of another thread")))
                .isNull();

        assertThat(Calls.failure(IN_USE, "doca_it", "doing it")).hasMessage(FAILED);
    }

    @Test
    void keepsTheFirstReasonsOfMany() {
        for (int i = 1; i <= 1000; i++) {
            SdkErrors.log("reason " + i);
        }

        assertThat(Calls.failure(IN_USE, "doca_it", "doing it"))
                .hasMessage(FAILED + ": reason 1; reason 2; reason 3; reason 4");
    }

    @Test
    void quotesAReasonOnce() {
        SdkErrors.log("the cause");
        SdkErrors.log("what follows");
        SdkErrors.log("the cause");

        assertThat(Calls.failure(IN_USE, "doca_it", "doing it")).hasMessage(FAILED + ": the cause; what follows");
    }

    @Test
    void leavesOutWhatTheSdkLogsAfterEachFailedTask() {
        SdkErrors.log("Unable to transition QP to error: QP already in error state");
        SdkErrors.log("the cause");
        SdkErrors.log("Unable to transition QP to error: QP already in error state");

        assertThat(Calls.failure(IN_USE, "doca_it", "doing it")).hasMessage(FAILED + ": the cause");
    }

    @Test
    void writesReasonsOfManyLinesInOne() {
        SdkErrors.log("first\n  second\r\n\n third");

        assertThat(Calls.failure(IN_USE, "doca_it", "doing it")).hasMessage(FAILED + ": first second third");
    }

    @Test
    void takesTheFailureOfAQuestionForAnAnswer() {
        try (LogCapture log = LogCapture.ofSdk()) {
            String answer = Calls.probe(() -> {
                SdkErrors.log("not supported");
                return Calls.probe(() -> {
                    SdkErrors.log("not supported either");
                    return "no";
                });
            });

            assertThat(answer).isEqualTo("no");
            assertThat(log.lines()).containsExactly("DEBUG not supported", "DEBUG not supported either");
            assertThat(Calls.failure(IN_USE, "doca_it", "doing it")).hasMessage(FAILED);

            SdkErrors.log("an error again");
            assertThat(log.lines()).last().isEqualTo("ERROR an error again");
        }
    }

    @Test
    void knowsTheReasonOfAQuestionThatCannotBeAsked() {
        assertThatExceptionOfType(DocaCallException.class)
                .isThrownBy(() -> Calls.probe(() -> {
                    SdkErrors.log("the cause");
                    throw Calls.failure(IN_USE, "doca_it", "doing it");
                }))
                .withMessage(FAILED + ": the cause");
    }

    @Test
    void isTheSameInAllLanguages() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("tr"));
        try {
            assertThat(Calls.failure(DocaError.INITIALIZATION.code(), "doca_it", "initialising it"))
                    .hasMessage(
                            "Initialising it: doca_it failed with DOCA_ERROR_INITIALIZATION (Resource initialization"
                                    + " failure)");
        } finally {
            Locale.setDefault(before);
        }
    }
}
