/* SPDX-License-Identifier: Apache-2.0 */
/** Translations that make the functions of DOCA 3.0 of those of older releases, so that doca-java runs on them. */
module io.docajava.compat {
    requires static transitive org.jspecify;
    requires io.docajava.ffi;

    provides io.docajava.ffi.TranslationProvider with
            io.docajava.compat.internal.BundledTranslation;
}
