/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.filecopy;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The checksum of {@code sha256sum}. */
final class Sha256 {

    private Sha256() {}

    /** Formats a digest as {@code sha256sum} does. */
    static String text(byte[] digest) {
        return HexFormat.of().formatHex(digest);
    }

    static MessageDigest create() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java has SHA-256", e);
        }
    }
}
