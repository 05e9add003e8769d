/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Accepts a text with at most as many bytes as in the samples in C. */
public final class TextConverter implements ITypeConverter<String> {

    /** The character that Java uses for bytes that are not in the locale's encoding. */
    private static final char REPLACEMENT = '\ufffd';

    private final int limit;

    /** Creates a converter with the limit of the DMA samples, 4096 bytes. */
    public TextConverter() {
        this(4096);
    }

    /**
     * Creates a converter.
     *
     * @param limit the largest number of bytes
     */
    public TextConverter(int limit) {
        this.limit = limit;
    }

    @Override
    public String convert(String text) {
        if (text.indexOf(REPLACEMENT) >= 0) {
            throw new TypeConversionException(
                    "it has characters that cannot be read in this locale; a UTF-8 locale such as C.UTF-8 can");
        }
        int bytes = text.getBytes(UTF_8).length;
        if (bytes > limit) {
            throw new TypeConversionException("it has " + bytes + " bytes, and " + limit + " is the limit");
        }
        return text;
    }
}
