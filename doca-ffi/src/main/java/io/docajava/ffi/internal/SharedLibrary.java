/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

/**
 * A library that is opened in this process and never closed.
 *
 * @param loader the loader that opened it
 * @param handle of {@code dlopen}
 * @param file the path or soname by which it was opened
 */
record SharedLibrary(DynamicLoader loader, long handle, String file) {

    /** Returns the path of the file that the loader has found. */
    String path() {
        return loader.pathOf(handle, file);
    }

    /** Returns the address of an exported symbol, 0 if there is none. */
    long find(String symbol) {
        return loader.find(handle, symbol);
    }

    boolean has(String symbol) {
        return find(symbol) != 0;
    }
}
