/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import java.util.Objects;

/** A filter with a description. */
record NamedFilter(String describe, DeviceFilter filter) implements DeviceFilter {

    @Override
    public boolean matches(DeviceInfo device) {
        return filter.matches(Objects.requireNonNull(device, "device"));
    }

    @Override
    public String toString() {
        return describe;
    }
}
