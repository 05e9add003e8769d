/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core;

/** The result codes of the DOCA libraries ({@code doca_error_t}). */
public enum DocaError {
    /** The call succeeded. */
    SUCCESS(0),
    /** The cause is not known. */
    UNKNOWN(1),
    /** The object or its owner does not permit the operation. */
    NOT_PERMITTED(2),
    /** The object is in use. */
    IN_USE(3),
    /** The device, the library or this release does not support the operation. */
    NOT_SUPPORTED(4),
    /** A resource is busy; the same call may succeed after progress. */
    AGAIN(5),
    /** An argument is invalid. */
    INVALID_VALUE(6),
    /** Memory or elements of a pool ran out. */
    NO_MEMORY(7),
    /** A resource could not be initialised. */
    INITIALIZATION(8),
    /** A time limit passed. */
    TIME_OUT(9),
    /** The object is shutting down or shut down. */
    SHUTDOWN(10),
    /** The peer reset the connection. */
    CONNECTION_RESET(11),
    /** The connection was aborted. */
    CONNECTION_ABORTED(12),
    /** The connection is being established. */
    CONNECTION_INPROGRESS(13),
    /** There is no connection. */
    NOT_CONNECTED(14),
    /** A lock could not be taken. */
    NO_LOCK(15),
    /** The object was not found. */
    NOT_FOUND(16),
    /** Reading or writing failed. */
    IO_FAILED(17),
    /** The object is in a state that does not allow the operation. */
    BAD_STATE(18),
    /** The version is not supported. */
    UNSUPPORTED_VERSION(19),
    /** A system call failed. */
    OPERATING_SYSTEM(20),
    /** The driver reported a failure. */
    DRIVER(21),
    /** The library met a condition that it does not expect. */
    UNEXPECTED(22),
    /** The resource exists already. */
    ALREADY_EXIST(23),
    /** The resource has no room left. */
    FULL(24),
    /** The resource has no entry left. */
    EMPTY(25),
    /** The operation has begun, and progress completes it. */
    IN_PROGRESS(26),
    /** The operation exceeds a limit of size. */
    TOO_BIG(27),
    /** The peer could not be authenticated. */
    AUTHENTICATION(28),
    /** The configuration is wrong. */
    BAD_CONFIG(29),
    /** The operation was skipped. */
    SKIPPED(30),
    /** The device has failed for good. DOCA 3.3 brought this result. */
    DEVICE_FATAL_ERROR(31),
    /** A result that this release of doca-java does not know; {@link DocaCallException#code()} has its number. */
    UNRECOGNIZED(-1);

    /** Each constant is at the index of its number, and {@link #UNRECOGNIZED} follows. */
    private static final DocaError[] BY_CODE = values();

    private final int code;

    DocaError(int code) {
        this.code = code;
    }

    /** {@return the number of this result in the C ABI, from 0 to 31; -1 for {@link #UNRECOGNIZED}} */
    public int code() {
        return code;
    }

    /**
     * {@return whether this is a temporary lack of resources: {@link #AGAIN}, {@link #FULL} or {@link #NO_MEMORY}} The same call may
     * succeed after progress, and a context does not stop when a task fails with this result.
     */
    public boolean isTransient() {
        return this == AGAIN || this == FULL || this == NO_MEMORY;
    }

    /**
     * {@return the constant of a number in the C ABI; {@link #UNRECOGNIZED} for a number that doca-java does not know}
     *
     * @param code any number that a C function returned
     */
    public static DocaError of(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : UNRECOGNIZED;
    }
}
