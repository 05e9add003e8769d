/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import java.util.Objects;

/**
 * Chooses devices. Filters can be combined, for example {@code DeviceFilter.networkInterface("p0").and(DmaContext::isSupported)}.
 * If no device matches, the error message describes the filter.
 */
@FunctionalInterface
public interface DeviceFilter {

    /**
     * {@return whether this filter chooses a device} The thread that opens a device calls it.
     *
     * @param device a listed device, which need not be open
     */
    boolean matches(DeviceInfo device);

    /** {@return a description of this filter, which follows the word "with" in error messages} */
    default String describe() {
        return "a property asked for in code";
    }

    /** {@return a filter that chooses every device, so that the first one is opened} */
    static DeviceFilter any() {
        return named("any properties", device -> true);
    }

    /**
     * {@return a filter for a PCI address} Scalable functions share that of their physical function, which is listed first.
     *
     * @param address with or without the domain: {@code 0000:03:00.0} or {@code 03:00.0}
     * @throws IllegalArgumentException if {@code address} has neither form
     */
    static DeviceFilter pciAddress(String address) {
        Objects.requireNonNull(address, "address");
        return pciAddress(PciAddress.parse(address));
    }

    /**
     * {@return a filter for a PCI address, as by {@link #pciAddress(String)}}
     *
     * @param address of the function, or of the physical function of a scalable function
     */
    static DeviceFilter pciAddress(PciAddress address) {
        Objects.requireNonNull(address, "address");
        return named("PCI address " + address, device -> device.pciAddress().equals(address));
    }

    /**
     * {@return a filter that chooses the device with exactly this InfiniBand name}
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
     * {@return a filter that chooses the device with exactly this network interface}
     *
     * @param name of the interface, such as {@code p0}
     */
    static DeviceFilter networkInterface(String name) {
        Objects.requireNonNull(name, "name");
        return named(
                "network interface " + name,
                device -> device.networkInterface().filter(name::equals).isPresent());
    }

    /**
     * {@return a filter that chooses the same devices, and has a description for error messages}
     *
     * @param description that fits after "No DOCA device with", such as {@code support for DMA copies}
     * @param filter such as {@code DmaContext::isSupported}
     */
    static DeviceFilter named(String description, DeviceFilter filter) {
        Objects.requireNonNull(description, "description");
        Objects.requireNonNull(filter, "filter");
        return new NamedFilter(description, filter);
    }

    /**
     * {@return a filter that chooses the devices that both this filter and another one choose}
     *
     * @param other the filter that is applied second, and only to devices that this one chooses
     */
    default DeviceFilter and(DeviceFilter other) {
        Objects.requireNonNull(other, "other");
        return named(describe() + " and " + other.describe(), device -> matches(device) && other.matches(device));
    }

    /**
     * {@return a filter that chooses the devices that this filter, another one, or both choose}
     *
     * @param other the filter that is applied second, and only to devices that this one does not choose
     */
    default DeviceFilter or(DeviceFilter other) {
        Objects.requireNonNull(other, "other");
        return named(
                "(" + describe() + " or " + other.describe() + ")", device -> matches(device) || other.matches(device));
    }

    /** {@return a filter that chooses exactly the devices that this filter does not choose} */
    default DeviceFilter negate() {
        return named("not (" + describe() + ")", device -> !matches(device));
    }
}
