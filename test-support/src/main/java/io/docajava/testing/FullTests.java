/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.testing;

/** The amount of work of tests that a usual build does in part, and {@code -Pfull} completely. */
public final class FullTests {

    private FullTests() {}

    /** Returns true in a build with {@code -Pfull}. */
    public static boolean enabled() {
        return Boolean.getBoolean("doca.test.all");
    }

    /** Returns the amount of work in this build. */
    public static int amount(int usual, int full) {
        return enabled() ? full : usual;
    }
}
