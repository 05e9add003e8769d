/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.testing;

import io.docajava.ffi.NativeResources;
import io.docajava.ffi.internal.HelperLibrary;
import java.io.IOException;
import java.util.List;

/** Prints from a separate JVM where doca-ffi was unpacked or why it was not, and whether its native part was loaded. */
public final class NativeDirectoryProbe {

    private NativeDirectoryProbe() {}

    /** Runs without arguments. */
    public static void main(String[] none) {
        try {
            System.out.println("in "
                    + NativeResources.unpack(HelperLibrary.class, List.of("libdocajava.so"))
                            .getParent());
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
        System.setErr(System.out);
        System.out.println("loaded: " + HelperLibrary.isAvailable());
    }
}
