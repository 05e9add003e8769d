/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import java.util.Objects;

/**
 * Chooses devices: {@code DeviceFilter.networkInterface("p0").and(DmaContext::isSupported)}. Filters combine, and those
 * made here say in errors what they looked for.
 */
@FunctionalInterface
public interface DeviceFilter {

    /** Returns whether this filter chooses a device. */
    boolean matches(DeviceInfo device);

    /** Returns a description of the filter, for error messages. */
    default String describe() {
        return "a property asked for in code";
    }

    /** Every device. */
    static DeviceFilter any() {
        return named("any properties", device -> true);
    }

    /**
     * The device at a place on the PCI bus. Scalable functions share that of their physical function, which is listed
     * first.
     *
     * @param address with or without the domain: {@code 0000:03:00.0} or {@code 03:00.0}
     * @throws IllegalArgumentException if it is neither
     */
    static DeviceFilter pciAddress(String address) {
        Objects.requireNonNull(address, "address");
        return pciAddress(PciAddress.parse(address));
    }

    /** The device at a place on the PCI bus. */
    static DeviceFilter pciAddress(PciAddress address) {
        Objects.requireNonNull(address, "address");
        return named("PCI address " + address, device -> device.pciAddress().equals(address));
    }

    /**
     * The device with an InfiniBand name.
     *
     * @param name such as {@code mlx5_0}
     */
    static DeviceFilter ibDevice(String name) {
        Objects.requireNonNull(name, "name");
        return named(
                "InfiniBand name " + name,
                device -> device.ibDevice().filter(name::equals).isPresent());
    }

    /**
     * The device with a network interface.
     *
     * @param name such as {@code p0}
     */
    static DeviceFilter networkInterface(String name) {
        Objects.requireNonNull(name, "name");
        return named(
                "network interface " + name,
                device -> device.networkInterface().filter(name::equals).isPresent());
    }

    /**
     * A filter with words for errors.
     *
     * @param description such as {@code support for DMA copies}
     * @param filter such as {@code DmaContext::isSupported}
     */
    static DeviceFilter named(String description, DeviceFilter filter) {
        Objects.requireNonNull(description, "description");
        Objects.requireNonNull(filter, "filter");
        return new NamedFilter(description, filter);
    }

    /** Devices that this filter and another one choose. */
    default DeviceFilter and(DeviceFilter other) {
        return named(describe() + " and " + other.describe(), device -> matches(device) && other.matches(device));
    }

    /** Devices that this filter or another one chooses. */
    default DeviceFilter or(DeviceFilter other) {
        return named(
                "(" + describe() + " or " + other.describe() + ")", device -> matches(device) || other.matches(device));
    }

    /** Devices that this filter does not choose. */
    default DeviceFilter negate() {
        return named("not (" + describe() + ")", device -> !matches(device));
    }
}
