/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import java.util.Objects;

/**
 * Chooses representors, as {@link DeviceFilter} chooses devices. Filters combine, and those made here say in errors what
 * they looked for.
 */
@FunctionalInterface
public interface RepresentorFilter {

    /** Returns whether this filter chooses a representor. */
    boolean matches(RepresentorInfo representor);

    /** Returns a description of the filter, for error messages. */
    default String describe() {
        return "a property asked for in code";
    }

    /** Every representor. */
    static RepresentorFilter any() {
        return named("any properties", representor -> true);
    }

    /**
     * Returns a filter for the function at a PCI address of the host.
     *
     * @param address with or without the domain: {@code 0000:0b:00.0} or {@code 0b:00.0}
     * @throws IllegalArgumentException if it is neither
     */
    static RepresentorFilter pciAddress(String address) {
        Objects.requireNonNull(address, "address");
        return pciAddress(PciAddress.parse(address));
    }

    /** Returns a filter for the function at a PCI address of the host. */
    static RepresentorFilter pciAddress(PciAddress address) {
        Objects.requireNonNull(address, "address");
        return named(
                "PCI address " + address,
                representor -> representor.pciAddress().equals(address));
    }

    /**
     * Returns a filter for the representor with a network interface on the DPU.
     *
     * @param name such as {@code pf0hpf}
     */
    static RepresentorFilter networkInterface(String name) {
        Objects.requireNonNull(name, "name");
        return named(
                "network interface " + name,
                representor ->
                        representor.networkInterface().filter(name::equals).isPresent());
    }

    /** Returns a filter for the function with a unique name. */
    static RepresentorFilter vuid(String vuid) {
        Objects.requireNonNull(vuid, "vuid");
        return named(
                "VUID " + vuid,
                representor -> representor.vuid().filter(vuid::equals).isPresent());
    }

    /**
     * A filter with words for errors.
     *
     * @param description such as {@code a virtual function}
     */
    static RepresentorFilter named(String description, RepresentorFilter filter) {
        Objects.requireNonNull(description, "description");
        Objects.requireNonNull(filter, "filter");
        return new NamedRepresentorFilter(description, filter);
    }

    /** Representors that this filter and another one choose. */
    default RepresentorFilter and(RepresentorFilter other) {
        return named(
                describe() + " and " + other.describe(),
                representor -> matches(representor) && other.matches(representor));
    }

    /** Representors that this filter or another one chooses. */
    default RepresentorFilter or(RepresentorFilter other) {
        return named(
                "(" + describe() + " or " + other.describe() + ")",
                representor -> matches(representor) || other.matches(representor));
    }

    /** Representors that this filter does not choose. */
    default RepresentorFilter negate() {
        return named("not (" + describe() + ")", representor -> !matches(representor));
    }
}
