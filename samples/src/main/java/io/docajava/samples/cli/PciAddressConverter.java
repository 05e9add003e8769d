/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.cli;

import io.docajava.core.device.PciAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a PCI address. */
public final class PciAddressConverter implements ITypeConverter<PciAddress> {

    @Override
    public PciAddress convert(String text) {
        try {
            return PciAddress.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
