/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.StringJoiner;

/** Builds the text of named values like a record's {@code toString()}, but omits empty values. */
final class PropertyText {

    private final StringJoiner text;

    PropertyText(String type) {
        text = new StringJoiner(", ", type + "[", "]");
    }

    PropertyText add(String name, Object value) {
        text.add(name + "=" + value);
        return this;
    }

    PropertyText add(String name, Optional<?> value) {
        value.ifPresent(present -> add(name, present));
        return this;
    }

    PropertyText add(String name, OptionalInt value) {
        value.ifPresent(present -> add(name, (Object) present));
        return this;
    }

    PropertyText add(String name, OptionalLong value) {
        value.ifPresent(present -> add(name, (Object) present));
        return this;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
