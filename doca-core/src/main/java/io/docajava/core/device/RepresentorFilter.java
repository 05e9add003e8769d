/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import java.util.Objects;

/**
 * Chooses representors, as {@link DeviceFilter} chooses devices. Filters can be combined. If the filters of this interface
 * choose no representor, the error message describes what they looked for.
 */
@FunctionalInterface
public interface RepresentorFilter {

    /**
     * {@return whether this filter chooses a representor} The thread that opens a representor calls it.
     *
     * @param representor a listed representor, which need not be open
     */
    boolean matches(RepresentorInfo representor);

    /** {@return a description of what this filter looks for, which error messages have after the word "with"} */
    default String describe() {
        return "a property asked for in code";
    }

    /** {@return a filter that chooses every representor, and so opens the first one} */
    static RepresentorFilter any() {
        return named("any properties", representor -> true);
    }

    /**
     * {@return a filter that chooses the representors of the functions at a PCI address of the host}
     *
     * @param address with or without the domain: {@code 0000:0b:00.0} or {@code 0b:00.0}
     * @throws IllegalArgumentException if {@code address} has neither form
     */
    static RepresentorFilter pciAddress(String address) {
        Objects.requireNonNull(address, "address");
        return pciAddress(PciAddress.parse(address));
    }

    /**
     * {@return a filter that chooses the representors of the functions at a PCI address of the host}
     *
     * @param address on the host's PCI bus, not on that of the DPU
     */
    static RepresentorFilter pciAddress(PciAddress address) {
        Objects.requireNonNull(address, "address");
        return named(
                "PCI address " + address,
                representor -> representor.pciAddress().equals(address));
    }

    /**
     * {@return a filter that chooses the representor with exactly this network interface on the DPU; it chooses none before DOCA 3.0}
     *
     * @param name of the interface, such as {@code pf0hpf}
     */
    static RepresentorFilter networkInterface(String name) {
        Objects.requireNonNull(name, "name");
        return named(
                "network interface " + name,
                representor ->
                        representor.networkInterface().filter(name::equals).isPresent());
    }

    /**
     * {@return a filter that chooses the representor of the function with this unique name}
     *
     * @param vuid as in {@link RepresentorInfo#vuid()}
     */
    static RepresentorFilter vuid(String vuid) {
        Objects.requireNonNull(vuid, "vuid");
        return named(
                "VUID " + vuid,
                representor -> representor.vuid().filter(vuid::equals).isPresent());
    }

    /**
     * {@return a filter that chooses the same representors, and has a description for error messages}
     *
     * @param description that fits after "No representor with", such as {@code a virtual function}
     * @param filter such as {@code RepresentorInfo::hotplug}
     */
    static RepresentorFilter named(String description, RepresentorFilter filter) {
        Objects.requireNonNull(description, "description");
        Objects.requireNonNull(filter, "filter");
        return new NamedRepresentorFilter(description, filter);
    }

    /**
     * {@return a filter that chooses the representors that both this filter and another one choose}
     *
     * @param other the filter that is applied second, and only to representors that this one chooses
     */
    default RepresentorFilter and(RepresentorFilter other) {
        Objects.requireNonNull(other, "other");
        return named(
                describe() + " and " + other.describe(),
                representor -> matches(representor) && other.matches(representor));
    }

    /**
     * {@return a filter that chooses the representors that this filter, another one, or both choose}
     *
     * @param other the filter that is applied second, and only to representors that this one does not choose
     */
    default RepresentorFilter or(RepresentorFilter other) {
        Objects.requireNonNull(other, "other");
        return named(
                "(" + describe() + " or " + other.describe() + ")",
                representor -> matches(representor) || other.matches(representor));
    }

    /** {@return a filter that chooses exactly the representors that this filter does not choose} */
    default RepresentorFilter negate() {
        return named("not (" + describe() + ")", representor -> !matches(representor));
    }
}
