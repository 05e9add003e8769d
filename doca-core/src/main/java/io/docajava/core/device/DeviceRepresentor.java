/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import io.docajava.DocaException;
import io.docajava.core.internal.device.RepresentorImpl;
import java.util.List;

/**
 * An open representor ({@code struct doca_dev_rep}), which represents a function of the host, or a scalable function of the DPU
 * itself, on a DPU. Hosts have no representors. A representor belongs to the device that it was listed for, which cannot be closed before it.
 *
 * <p>Safe for use by many threads.
 */
public sealed interface DeviceRepresentor extends AutoCloseable permits RepresentorImpl {

    /**
     * {@return whether a device can have representors ({@code doca_devinfo_rep_cap_is_filter_all_supported}); false also if it has been
     * removed} This method is a {@link DeviceFilter}.
     *
     * @param device a listed device, which need not be open
     */
    static boolean isSupported(DeviceInfo device) {
        return RepresentorImpl.isSupported(device);
    }

    /**
     * {@return all representors of a device, in the SDK's order; empty if the device can have representors but has none}
     *
     * @param device an open device, which stays open during the call
     * @throws IllegalStateException if the device is closed
     * @throws DocaException {@code NOT_SUPPORTED} if the device cannot have representors, like all devices of a host
     */
    static List<RepresentorInfo> list(Device device) {
        return RepresentorImpl.list(device);
    }

    /**
     * {@return the representors of a device, in the SDK's order ({@code doca_devinfo_rep_create_list}); empty if it has none}
     *
     * @param device an open device, which stays open during the call
     * @param kind the representors to list
     * @throws IllegalStateException if the device is closed
     * @throws DocaException {@code NOT_SUPPORTED} if the device cannot have representors of the kind, like all devices of a host
     */
    static List<RepresentorInfo> list(Device device, RepresentorKind kind) {
        return RepresentorImpl.list(device, kind);
    }

    /**
     * Opens the first representor of a device that a filter chooses ({@code doca_dev_rep_open}).
     *
     * @param device an open device, which cannot be closed before the representor
     * @param filter that the calling thread applies to the representors in the SDK's order, until it chooses one
     * @return the open representor, to be closed by the caller
     * @throws RepresentorNotFoundException if the filter chooses none
     * @throws IllegalStateException if the device is closed
     * @throws DocaException {@code NOT_SUPPORTED} if the device cannot have representors, or another error if opening fails
     */
    static DeviceRepresentor open(Device device, RepresentorFilter filter) {
        return RepresentorImpl.open(device, filter);
    }

    /**
     * Opens a listed representor, found by its PCI address and unique name. Other properties may have changed meanwhile.
     *
     * @param device an open device, which cannot be closed before the representor
     * @param info a description of the representor from any list
     * @return the open representor, to be closed by the caller; its {@link #info()} has the current properties
     * @throws RepresentorNotFoundException if the function has been removed
     * @throws IllegalStateException if the device is closed
     * @throws DocaException if the representor cannot be opened
     */
    static DeviceRepresentor open(Device device, RepresentorInfo info) {
        return RepresentorImpl.open(device, info);
    }

    /** {@return the properties of the representor as they were when it was opened} */
    RepresentorInfo info();

    /**
     * Closes the representor ({@code doca_dev_rep_close}). Closing it again does nothing.
     *
     * @throws IllegalStateException if objects that were created for it are still open; the representor stays open
     * @throws DocaException if the SDK refuses; the representor stays open
     */
    @Override
    void close();
}
