/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.cli;

import io.docajava.core.DocaLogLevel;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses the number of a log level. */
final class LogLevelConverter implements ITypeConverter<DocaLogLevel> {

    @Override
    public DocaLogLevel convert(String text) {
        return Arrays.stream(DocaLogLevel.values())
                .filter(level -> text.equals(Integer.toString(level.value())))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("'" + text + "' is none of " + choices()));
    }

    private static String choices() {
        return Arrays.stream(DocaLogLevel.values())
                .map(level -> level.value() + "=" + level)
                .collect(Collectors.joining(", "));
    }
}
