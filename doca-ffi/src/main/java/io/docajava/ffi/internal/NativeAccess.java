/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import io.docajava.ffi.DocaLibraryException;

/** Checks whether this JVM lets doca-ffi call native code. */
public final class NativeAccess {

    private NativeAccess() {}

    /**
     * Makes the first restricted call, so that a refusal gets a helpful message.
     *
     * @throws DocaLibraryException if the JVM refuses: the message names the flag that grants it
     */
    public static void require() {
        try {
            NativeMemory.ofAddress(0, 0);
        } catch (IllegalCallerException e) {
            throw new DocaLibraryException(refusal(NativeAccess.class.getModule()), e);
        }
    }

    static String refusal(Module module) {
        String grantee = module.isNamed() ? module.getName() : "ALL-UNNAMED";
        return "This JVM refuses native access to doca-java. Start it with --enable-native-access=" + grantee
                + (module.isNamed()
                        ? " (doca-ffi is on the module path)."
                        : " (doca-ffi is on the class path), or name it in the manifest of the jar that is started:"
                                + " Enable-Native-Access: ALL-UNNAMED.");
    }
}
