/* SPDX-License-Identifier: Apache-2.0 */
/** An extension of JUnit 5 for tests that use DOCA: the emulator, peers, faults, and a check for leaks. */
module io.docajava.junit {
    requires static transitive org.jspecify;
    requires transitive io.docajava.core;
    requires transitive io.docajava.emulator;
    requires transitive org.junit.jupiter.api;

    exports io.docajava.junit;
}
