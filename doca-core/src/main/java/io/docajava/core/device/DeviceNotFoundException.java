/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import io.docajava.DocaException;
import io.docajava.ffi.argument.Elements;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** No device of this machine matches the filter or description. The message lists the devices of this machine. */
public final class DeviceNotFoundException extends DocaException {

    private static final long serialVersionUID = 1;

    /**
     * Creates the exception.
     *
     * @param sought what was sought, in words: {@code PCI address 03:00.0}
     * @param devices that this machine has instead
     */
    public DeviceNotFoundException(String sought, List<DeviceInfo> devices) {
        super(message(
                "No DOCA device with " + Objects.requireNonNull(sought, "sought"),
                "this machine",
                Elements.copy(devices, "devices").stream().map(DeviceInfo::displayName)));
    }

    /** Returns a message that lists what was found instead. */
    static String message(String notFound, String where, Stream<String> others) {
        String names = others.collect(Collectors.joining(", "));
        return notFound + (names.isEmpty() ? ": " + where + " has none" : "; " + where + " has " + names);
    }
}
