/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Takes a text to copy, which may have as many bytes as in the samples in C. */
public final class TextConverter implements ITypeConverter<String> {

    private static final int LIMIT = 4096;

    @Override
    public String convert(String text) {
        int bytes = text.getBytes(UTF_8).length;
        if (bytes > LIMIT) {
            throw new TypeConversionException("it has " + bytes + " bytes, and " + LIMIT + " is the limit");
        }
        return text;
    }
}
