/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import io.docajava.DocaException;
import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.ffi.DocaLibraryException;
import java.util.List;

/**
 * An open device ({@code struct doca_dev}). Contexts and memory maps are created for a device; it cannot be closed before them.
 *
 * <p>Safe for use by many threads.
 */
public sealed interface Device extends AutoCloseable permits DeviceImpl {

    /**
     * {@return the devices of this machine, in the SDK's order ({@code doca_devinfo_create_list}); empty where there are none}
     *
     * @throws DocaException if they cannot be listed
     * @throws DocaLibraryException if there are no DOCA libraries
     */
    static List<DeviceInfo> list() {
        return DeviceImpl.list();
    }

    /**
     * Opens the first device that a filter chooses ({@code doca_dev_open}). A device may be opened several times; each {@code
     * Device} is then closed separately.
     *
     * @param filter that the calling thread applies to the devices in the SDK's order, until it chooses one
     * @return the open device, to be closed by the caller
     * @throws DeviceNotFoundException if the filter chooses none
     * @throws DocaException if the device cannot be opened
     * @throws DocaLibraryException if there are no DOCA libraries
     */
    static Device open(DeviceFilter filter) {
        return DeviceImpl.open(filter);
    }

    /**
     * Opens a listed device, found by its PCI address, InfiniBand name, function type and scalable function's number. Other
     * properties may have changed since it was listed.
     *
     * @param info a description of the device from any list
     * @return the open device, to be closed by the caller; its {@link #info()} has the current properties
     * @throws DeviceNotFoundException if the device has been removed
     * @throws DocaException if the device cannot be opened
     */
    static Device open(DeviceInfo info) {
        return DeviceImpl.open(info);
    }

    /** {@return the properties of the device as they were when it was opened} */
    DeviceInfo info();

    /**
     * {@return the amount of memory, in bytes, that open memory maps have registered with this {@code Device}} Imported memory does not
     * count, and memory that two maps register counts twice.
     */
    long registeredBytes();

    /**
     * Closes the device ({@code doca_dev_close}). Closing it again does nothing.
     *
     * @throws IllegalStateException if memory maps, contexts or representors of the device are still open; the device stays open
     * @throws DocaException if the SDK refuses; the device stays open
     */
    @Override
    void close();
}
