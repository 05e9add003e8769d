/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import java.util.Objects;

/** A filter with a description. */
record NamedRepresentorFilter(String describe, RepresentorFilter filter) implements RepresentorFilter {

    @Override
    public boolean matches(RepresentorInfo representor) {
        return filter.matches(Objects.requireNonNull(representor, "representor"));
    }

    @Override
    public String toString() {
        return describe;
    }
}
