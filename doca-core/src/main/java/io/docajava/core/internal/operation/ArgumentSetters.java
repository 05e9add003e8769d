/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.operation;

/**
 * The addresses of the C functions that set the arguments of an allocated task for its next submission. An address is 0
 * if the type has no such argument. An {@link OperationType} supplies them to its operations.
 *
 * @param subject sets the object that the operation works on, such as a connection
 * @param local sets the local buffer
 * @param remote sets the remote buffer, or the sync event of the peer
 * @param first sets the first number
 * @param second sets the second number
 */
public record ArgumentSetters(long subject, long local, long remote, long first, long second) {

    /** For types whose tasks are never submitted twice. */
    public static final ArgumentSetters NONE = new ArgumentSetters(0, 0, 0, 0, 0);
}
