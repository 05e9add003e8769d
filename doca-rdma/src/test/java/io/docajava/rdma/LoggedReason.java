/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.ffi.Backend;
import io.docajava.ffi.DocaLibrary;

/** The ends of messages: the reason that the emulator logs for a failure, or what is said if the SDK logs none, as DOCA 3.0. */
public final class LoggedReason {

    private LoggedReason() {}

    /** Returns the end of the message of a failed operation. */
    public static String ofOperation(String reason) {
        return isLogged()
                ? reason
                : "the SDK has logged no reason; the section on reasons of docs/errors.md lists the usual ones";
    }

    /** Returns the end of the message of a connection by address that was not established. */
    public static String ofConnection(String reason) {
        return isLogged()
                ? reason
                : "the SDK has logged no reason: nobody listens there, or the peer has rejected the request or has gone";
    }

    private static boolean isLogged() {
        return DocaLibrary.load().backend() == Backend.EMULATOR;
    }
}
