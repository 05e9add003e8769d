/* SPDX-License-Identifier: Apache-2.0 */
/** Translations that provide the functions of DOCA 3.0 on top of older releases. */
module io.docajava.compat {
    requires static transitive org.jspecify;
    requires io.docajava.ffi;

    provides io.docajava.ffi.TranslationProvider with
            io.docajava.compat.internal.BundledTranslation;
}
