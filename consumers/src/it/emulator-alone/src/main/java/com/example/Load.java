/* SPDX-License-Identifier: Apache-2.0 */
package com.example;

import io.docajava.ffi.Backend;
import io.docajava.ffi.DocaLibrary;

/** Loads all libraries of the emulator. */
public final class Load {

    private Load() {}

    /** Fails if one is missing. */
    public static void main(String[] none) {
        DocaLibrary library = DocaLibrary.load();
        if (library.backend() != Backend.EMULATOR) {
            throw new AssertionError(library.backend());
        }
        for (String name : new String[] {"common", "dma", "rdma", "comch"}) {
            System.out.println(name + ": " + library.libraryPath(name));
        }
    }
}
