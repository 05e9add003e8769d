/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.device;

import java.lang.reflect.RecordComponent;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.StringJoiner;

/** The text of a record of properties: that of {@link Record#toString()} without empty values. */
final class PropertyText {

    private PropertyText() {}

    /** Returns the text of a record of this package, in which {@code type} replaces the name of its class. */
    static String of(String type, Record properties) {
        StringJoiner text = new StringJoiner(", ", type + "[", "]");
        for (RecordComponent component : properties.getClass().getRecordComponents()) {
            present(value(component, properties)).ifPresent(value -> text.add(component.getName() + "=" + value));
        }
        return text.toString();
    }

    private static Object value(RecordComponent component, Record properties) {
        try {
            return component.getAccessor().invoke(properties);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("A record has accessors that only return values", e);
        }
    }

    private static Optional<?> present(Object value) {
        return switch (value) {
            case Optional<?> optional -> optional;
            case OptionalInt number -> number.isPresent() ? Optional.of(number.getAsInt()) : Optional.empty();
            case OptionalLong number -> number.isPresent() ? Optional.of(number.getAsLong()) : Optional.empty();
            default -> Optional.of(value);
        };
    }
}
