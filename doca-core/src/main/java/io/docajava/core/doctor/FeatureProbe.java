/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.doctor;

import io.docajava.core.device.DeviceInfo;

/**
 * Examines whether a device supports a feature, such as DMA. Each module on top of doca-core provides a probe as a service, so
 * that {@link Doctor} reports on all modules of the application.
 */
public interface FeatureProbe {

    /** {@return the name of the feature, such as {@code DMA}} */
    String feature();

    /** {@return the short name of the DOCA library that the feature needs, such as {@code dma}} */
    String library();

    /**
     * Examines a device, which need not be open. An exception becomes a problem in the report.
     *
     * @param device a listed device, which may have been removed since
     * @return the report of the feature for this device; {@link FeatureReport#none()} if the device lacks it
     * @throws io.docajava.DocaException if the SDK refuses a call
     */
    FeatureReport probe(DeviceInfo device);
}
