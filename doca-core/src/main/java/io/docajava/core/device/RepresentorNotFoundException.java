/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import io.docajava.DocaException;
import java.util.List;

/** No representor of a device matches the filter or description. The message lists the representors of the device. */
public final class RepresentorNotFoundException extends DocaException {

    private static final long serialVersionUID = 1;

    /** Creates the exception. */
    public RepresentorNotFoundException(String sought, String device, List<RepresentorInfo> representors) {
        super(DeviceNotFoundException.message(
                "No representor with " + sought, device, representors.stream().map(RepresentorInfo::displayName)));
    }
}
