/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a number of bytes, at least 1: {@code 4096}, {@code 64K}, {@code 1M}, {@code 2G}. */
public final class SizeConverter implements ITypeConverter<Long> {

    private static final Pattern SIZE = Pattern.compile("(?<number>[0-9]{1,9})(?<unit>[KMG]?)");

    @Override
    public Long convert(String text) {
        Matcher matcher = SIZE.matcher(text);
        long size = matcher.matches() ? Long.parseLong(matcher.group("number")) << shift(matcher.group("unit")) : 0;
        if (size < 1) {
            throw new TypeConversionException("'" + text
                    + "' is not a number of bytes, which is from 1 to 999999999, or that with K, M or G, such as 64K");
        }
        return size;
    }

    private static int shift(String unit) {
        return switch (unit) {
            case "K" -> 10;
            case "M" -> 20;
            case "G" -> 30;
            default -> 0;
        };
    }
}
