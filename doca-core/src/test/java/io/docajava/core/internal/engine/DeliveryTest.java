/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DeliveryTest {

    @Test
    void reasonsAreOfAnObjectByItsWholeAddress() {
        assertThat(Delivery.names("DMA 0x7f10: Failed", 0x7f10)).isTrue();
        assertThat(Delivery.names("Failed: DMA 0x7f10", 0x7f10)).isTrue();
        assertThat(Delivery.names("DMA 0x7f10 of 0x20", 0x30, 0x20)).isTrue();
        assertThat(Delivery.names("DMA 0x7f100: Failed", 0x7f10)).isFalse();
        assertThat(Delivery.names("DMA 0x7f10f", 0x7f10)).isFalse();
        assertThat(Delivery.names("DMA 0x7f10A", 0x7f10)).isFalse();
        assertThat(Delivery.names("DMA 0x17f10: Failed", 0x7f10)).isFalse();
        assertThat(Delivery.names("DMA 0x7f10 of 0x20", 0x30)).isFalse();
        assertThat(Delivery.names("DMA 0x7f10 of 0x20")).isFalse();
    }

    @Test
    void anAddressIsFoundBehindALongerOne() {
        assertThat(Delivery.names("DMA 0x7f100 of 0x7f10", 0x7f10)).isTrue();
    }
}
