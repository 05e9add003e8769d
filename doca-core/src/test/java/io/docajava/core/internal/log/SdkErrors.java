/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.log;

/** Errors that the SDK seems to log. */
public final class SdkErrors {

    private SdkErrors() {}

    /** As if the SDK logged an error during a call of this thread. */
    public static void log(String text) {
        SdkLogBridge.record("[12:34:56:123456][4711][DOCA][ERR][file.c:42][function] " + text + "\n");
    }
}
