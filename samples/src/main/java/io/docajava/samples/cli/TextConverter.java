/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Takes a text to copy, which may have as many bytes as in the samples in C. */
public final class TextConverter implements ITypeConverter<String> {

    private static final int LIMIT = 4096;

    /** What Java makes of bytes that it cannot read in the locale's encoding. */
    private static final char REPLACEMENT = '\ufffd';

    @Override
    public String convert(String text) {
        if (text.indexOf(REPLACEMENT) >= 0) {
            throw new TypeConversionException(
                    "it has characters that cannot be read in this locale; a UTF-8 locale such as C.UTF-8 can");
        }
        int bytes = text.getBytes(UTF_8).length;
        if (bytes > LIMIT) {
            throw new TypeConversionException("it has " + bytes + " bytes, and " + LIMIT + " is the limit");
        }
        return text;
    }
}
