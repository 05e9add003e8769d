/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.cli;

import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a time in whole seconds, from one second to a day. */
public final class SecondsConverter implements ITypeConverter<Duration> {

    private static final int LIMIT = 86400;

    @Override
    public Duration convert(String text) {
        try {
            int seconds = Integer.parseInt(text);
            if (seconds >= 1 && seconds <= LIMIT) {
                return Duration.ofSeconds(seconds);
            }
        } catch (NumberFormatException notANumber) {
            // Handled below, with the same message.
        }
        throw new TypeConversionException("'" + text + "' is not a whole number of seconds from 1 to " + LIMIT);
    }
}
