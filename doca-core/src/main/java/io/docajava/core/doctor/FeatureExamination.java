/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.doctor;

import io.docajava.core.device.DeviceInfo;

/**
 * Finds out whether a device offers what a module of doca-java is for. Each module on top of doca-core provides one as a
 * service, so that {@link Doctor} tells of all modules that are there.
 */
public interface FeatureExamination {

    /** How the feature is called, such as {@code DMA}. */
    String feature();

    /** The library that it needs, by its short name, such as {@code dma}. */
    String library();

    /**
     * Examines a device, which need not be open. What the SDK refuses may be thrown: it is a finding as well.
     *
     * @throws io.docajava.DocaException if the device does not answer
     */
    FeatureFindings examine(DeviceInfo device);
}
