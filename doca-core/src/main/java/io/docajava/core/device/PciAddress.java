/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import io.docajava.ffi.internal.StackGuard;
import java.util.HexFormat;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a function on the PCI bus.
 *
 * @param domain the number of the PCI segment, from 0 to 0xffff
 * @param bus the number of the bus in the domain, from 0 to 0xff
 * @param device the number of the slot on the bus, from 0 to 0x1f
 * @param function the number of the function of the device, from 0 to 7
 */
public record PciAddress(int domain, int bus, int device, int function) {

    private static final String SPELLING = "(?:(\\p{XDigit}{4}):)?(\\p{XDigit}{2}):(\\p{XDigit}{2})\\.([0-7])";

    /**
     * Creates an address.
     *
     * @throws IllegalArgumentException if a number is out of its range
     */
    public PciAddress {
        check("domain", domain, 0xffff);
        check("bus", bus, 0xff);
        check("device", device, 0x1f);
        check("function", function, 7);
    }

    /**
     * Parses an address.
     *
     * @param text with or without the domain, in hexadecimal digits: {@code 0000:03:00.0} or {@code 03:00.0}
     * @return the address; its domain is 0 if the text has none
     * @throws IllegalArgumentException if the text has neither form
     */
    public static PciAddress parse(String text) {
        Objects.requireNonNull(text, "text");
        StackGuard.check();
        Matcher matcher = Pattern.compile(SPELLING).matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "Not a PCI address: \"" + text + "\"; it is written like 03:00.0 or 0000:03:00.0");
        }
        String domain = matcher.group(1);
        return new PciAddress(
                domain == null ? 0 : Integer.parseInt(domain, 16),
                Integer.parseInt(matcher.group(2), 16),
                Integer.parseInt(matcher.group(3), 16),
                Integer.parseInt(matcher.group(4), 16));
    }

    private static void check(String what, int value, int max) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException("The PCI " + what + " is 0 to 0x" + Integer.toHexString(max)
                    + ", and not 0x" + Integer.toHexString(value));
        }
    }

    /** {@return the address with its domain, such as {@code 0000:03:00.0}} */
    @Override
    public String toString() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(domain, 4) + ":" + hex.toHexDigits(bus, 2) + ":" + hex.toHexDigits(device, 2) + "."
                + hex.toHexDigits(function, 1);
    }
}
