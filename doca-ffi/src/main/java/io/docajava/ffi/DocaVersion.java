/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi;

import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version of a DOCA release, such as 2.5.0108. Versions are ordered by their parts.
 *
 * @param major the generation, 0 or more
 * @param minor the release, 0 or more
 * @param patch the build, 0 or more; the SDK prints it with four digits
 */
public record DocaVersion(int major, int minor, int patch) implements Comparable<DocaVersion> {

    /** The form of a release name. Packages append a suffix that does not affect the ABI. */
    private static final Pattern FORM = Pattern.compile("(\\d{1,6})\\.(\\d{1,6})(?:\\.(\\d{1,6}))?(?:[-+~ ].*)?");

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
        Matcher matcher = FORM.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("Not a DOCA version: \"" + text + "\" (expected like 2.5.0108)");
        }
        String patch = matcher.group(3);
        return new DocaVersion(
                Integer.parseInt(matcher.group(1)),
                Integer.parseInt(matcher.group(2)),
                patch == null ? 0 : Integer.parseInt(patch));
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
        return String.format(Locale.ROOT, "%d.%d.%04d", major, minor, patch);
    }
}
