/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.operation;

/**
 * The addresses of the C functions that set the arguments of an allocated task for its next submission; 0 where tasks of the type
 * have no such argument.
 *
 * @param subject sets the object that the operation is on, such as a connection
 * @param local sets the local buffer
 * @param remote sets the remote buffer, or the sync event of the peer
 * @param first sets the first number
 * @param second sets the second number
 */
public record ArgumentSetters(long subject, long local, long remote, long first, long second) {

    /** For types of which no task is ever submitted twice. */
    public static final ArgumentSetters NONE = new ArgumentSetters(0, 0, 0, 0, 0);
}
