/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

/**
 * A library opened in this process, for ever.
 *
 * @param loader what opened it
 * @param handle of {@code dlopen}
 * @param file what it was opened as: a path or a soname
 */
record SharedLibrary(DynamicLoader loader, long handle, String file) {

    /** The path of the file, as the loader found it. */
    String path() {
        return loader.pathOf(handle, file);
    }

    /** The address of an exported symbol, 0 if there is none. */
    long find(String symbol) {
        return loader.find(handle, symbol);
    }

    boolean has(String symbol) {
        return find(symbol) != 0;
    }
}
