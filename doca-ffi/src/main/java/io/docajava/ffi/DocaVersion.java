/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi;

import java.util.Objects;

/**
 * The version of a DOCA release, such as 2.5.0108. Versions are ordered by their parts.
 *
 * @param major the generation, 0 or more
 * @param minor the release, 0 or more
 * @param patch the build, 0 or more; the SDK prints it with four digits
 */
public record DocaVersion(int major, int minor, int patch) implements Comparable<DocaVersion> {

    private static final int MAX_DIGITS = 6;

    private static final String LINE_BREAKS = "\n\r\u0085\u2028\u2029";

    /**
     * Creates a version.
     *
     * @throws IllegalArgumentException if a part is negative
     */
    public DocaVersion {
        if (major < 0 || minor < 0 || patch < 0) {
            throw new IllegalArgumentException(
                    "A DOCA version has no negative part: " + major + "." + minor + "." + patch);
        }
    }

    /**
     * Parses a version.
     *
     * @param text a version as the SDK prints it ({@code 2.5.0108}), or the name of a release ({@code 2.9}); a suffix such as
     *     {@code -1} is ignored
     * @return the version; its patch is 0 if {@code text} has none
     * @throws IllegalArgumentException if {@code text} is neither
     */
    public static DocaVersion parse(String text) {
        Objects.requireNonNull(text, "text");
        String line = text.strip();
        String[] parts = release(line).split("\\.", -1);
        boolean isVersion = (parts.length == 2 || parts.length == 3) && isOneLine(line);
        for (String part : parts) {
            isVersion &= isNumber(part);
        }
        if (!isVersion) {
            throw new IllegalArgumentException("Not a DOCA version: \"" + text + "\" (expected like 2.5.0108)");
        }
        return new DocaVersion(
                Integer.parseInt(parts[0]),
                Integer.parseInt(parts[1]),
                parts.length == 2 ? 0 : Integer.parseInt(parts[2]));
    }

    /** Returns the text without the suffix that packages append, which does not affect the ABI. */
    private static String release(String text) {
        int end = 0;
        while (end < text.length() && "-+~ ".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return text.substring(0, end);
    }

    private static boolean isOneLine(String text) {
        for (int i = 0; i < LINE_BREAKS.length(); i++) {
            if (text.indexOf(LINE_BREAKS.charAt(i)) >= 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean isNumber(String part) {
        for (int i = 0; i < part.length(); i++) {
            if (part.charAt(i) < '0' || part.charAt(i) > '9') {
                return false;
            }
        }
        return !part.isEmpty() && part.length() <= MAX_DIGITS;
    }

    /**
     * Returns whether this version is of a release or a later one.
     *
     * @param major the generation of the release, 0 or more
     * @param minor the number of the release, 0 or more
     * @return true for each patch of the release, and for later releases
     * @throws IllegalArgumentException if a number is negative
     */
    public boolean isAtLeast(int major, int minor) {
        return compareTo(new DocaVersion(major, minor, 0)) >= 0;
    }

    @Override
    public int compareTo(DocaVersion other) {
        Objects.requireNonNull(other, "other");
        if (major != other.major) {
            return Integer.compare(major, other.major);
        }
        return minor != other.minor ? Integer.compare(minor, other.minor) : Integer.compare(patch, other.patch);
    }

    /** {@return the version as the SDK prints it, such as {@code 2.5.0108}} */
    @Override
    public String toString() {
        String digits = Integer.toString(patch);
        return major + "." + minor + "." + "0".repeat(Math.max(4 - digits.length(), 0)) + digits;
    }
}
