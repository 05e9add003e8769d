/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import io.docajava.DocaException;
import java.util.List;
import java.util.stream.Collectors;

/** No device of this machine matches the filter or description. The message lists the devices of this machine. */
public final class DeviceNotFoundException extends DocaException {

    private static final long serialVersionUID = 1;

    DeviceNotFoundException(String sought, List<DeviceInfo> devices) {
        super(
                devices.isEmpty()
                        ? "No DOCA device with " + sought + ": this machine has none"
                        : devices.stream()
                                .map(DeviceInfo::displayName)
                                .collect(Collectors.joining(
                                        ", ", "No DOCA device with " + sought + "; this machine has ", "")));
    }
}
