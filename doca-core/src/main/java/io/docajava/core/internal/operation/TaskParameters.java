/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.operation;

import io.docajava.ffi.submission.TaskCommands;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The subject of one operation, such as a connection, and its numbers: immediate data, or the operands of an atomic operation. It
 * knows which of them the native task has. {@link Operation} owns it.
 */
@SuppressWarnings("ReferenceEquality") // compares object identity on purpose: the SDK reuses pointers
final class TaskParameters {

    private final OperationType type;
    private final boolean any;

    private @Nullable Object subject;
    private long first;
    private long second;

    /** True if the native task has the parameters below. */
    private boolean known;

    private @Nullable Object knownSubject;
    private long knownFirst;
    private long knownSecond;

    TaskParameters(OperationType type) {
        this.type = type;
        this.any = type.setters().subject() != 0 || type.setters().first() != 0;
    }

    /** Returns whether native tasks of the type have a subject or numbers. */
    boolean areAny() {
        return any;
    }

    void setSubject(@Nullable Object newSubject) {
        if (newSubject != subject) {
            subject = newSubject;
        }
    }

    void setNumbers(long newFirst, long newSecond) {
        first = newFirst;
        second = newSecond;
    }

    void check() {
        type.checkSubject(subject);
    }

    /** Sets the parameters that differ from those of the native task. */
    void set(TaskCommands commands, long typed) {
        ArgumentSetters setters = type.setters();
        Object object = subject;
        if (object != null && setters.subject() != 0 && !(known && object == knownSubject)) {
            commands.setPointer(setters.subject(), typed, type.pointer(object));
        }
        if (setters.first() != 0 && !(known && first == knownFirst)) {
            commands.setPointer(setters.first(), typed, first);
        }
        if (setters.second() != 0 && !(known && second == knownSecond)) {
            commands.setPointer(setters.second(), typed, second);
        }
    }

    /** Records that the native task has the parameters. */
    void note() {
        if (subject != knownSubject) {
            knownSubject = subject;
        }
        knownFirst = first;
        knownSecond = second;
        known = true;
    }

    /** Records that the native task may have others. */
    void forget() {
        known = false;
    }

    Object subject() {
        return Objects.requireNonNull(subject);
    }

    @Nullable
    Object subjectOrNull() {
        return subject;
    }

    long first() {
        return first;
    }

    long second() {
        return second;
    }
}
