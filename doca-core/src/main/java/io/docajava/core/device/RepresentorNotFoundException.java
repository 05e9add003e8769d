/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import io.docajava.DocaException;
import io.docajava.ffi.argument.Elements;
import java.util.List;
import java.util.Objects;

/** No representor of a device matches the filter or description. The message lists the representors of the device. */
public final class RepresentorNotFoundException extends DocaException {

    private static final long serialVersionUID = 1;

    /**
     * Creates the exception.
     *
     * @param sought what was sought, in words
     * @param device the name of the device that was asked
     * @param representors that it has instead
     */
    public RepresentorNotFoundException(String sought, String device, List<RepresentorInfo> representors) {
        super(DeviceNotFoundException.message(
                "No representor with " + Objects.requireNonNull(sought, "sought"),
                Objects.requireNonNull(device, "device"),
                Elements.copy(representors, "representors").stream().map(RepresentorInfo::displayName)));
    }
}
