/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a count of 1 or more. */
public final class CountConverter implements ITypeConverter<Integer> {

    @Override
    public Integer convert(String text) {
        try {
            int count = Integer.parseInt(text);
            if (count >= 1) {
                return count;
            }
        } catch (NumberFormatException notANumber) {
            // Handled below, with the same message.
        }
        throw new TypeConversionException("'" + text + "' is not a whole number from 1 to " + Integer.MAX_VALUE);
    }
}
