/* SPDX-License-Identifier: Apache-2.0 */
/** Meters of doca-java for Micrometer. */
module io.docajava.micrometer {
    requires static transitive org.jspecify;
    requires transitive io.docajava.core;
    requires transitive micrometer.core;

    exports io.docajava.micrometer;
}
