/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import static io.docajava.core.device.DeviceFilter.ibDevice;
import static io.docajava.core.device.DeviceFilter.networkInterface;
import static io.docajava.core.device.DeviceFilter.pciAddress;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.docajava.core.testing.Requirements;
import io.docajava.testing.NeedsEmulator;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeviceFilterTest {

    @Test
    @NeedsEmulator
    void choosesByEachProperty() {
        assertThat(names(DeviceFilter.any())).containsExactly("mlx5_0", "mlx5_1", "mlx5_2", "mlx5_3");
        assertThat(names(pciAddress("03:00.0"))).containsExactly("mlx5_0", "mlx5_2");
        assertThat(names(pciAddress("0000:03:00.0"))).containsExactly("mlx5_0", "mlx5_2");
        assertThat(names(pciAddress("0001:03:00.0"))).isEmpty();
        assertThat(names(ibDevice("mlx5_3"))).containsExactly("mlx5_3");
        assertThat(names(networkInterface("p1"))).containsExactly("mlx5_1");
    }

    @Test
    @NeedsEmulator
    void combines() {
        Requirements.function("doca_devinfo_get_pci_func_type");
        DeviceFilter scalable = device ->
                device.functionType().filter(PciFunctionType.SCALABLE::equals).isPresent();

        assertThat(names(pciAddress("03:00.0").and(scalable))).containsExactly("mlx5_2");
        assertThat(names(ibDevice("mlx5_0").or(scalable))).containsExactly("mlx5_0", "mlx5_2", "mlx5_3");
        assertThat(names(scalable.negate())).containsExactly("mlx5_0", "mlx5_1");
    }

    @Test
    void saysWhatItLooksFor() {
        DeviceFilter copies = DeviceFilter.named("support for copies", device -> true);

        assertThat(ibDevice("mlx5_0").or(networkInterface("p0")).and(copies).negate())
                .hasToString("not ((InfiniBand name mlx5_0 or network interface p0) and support for copies)");
    }

    /** NullArgumentsTest checks the public methods, and not the classes behind these interfaces. */
    @Test
    @SuppressWarnings("NullAway") // null is what is tested
    void namesAMissingDevice() {
        assertThatNullPointerException()
                .isThrownBy(() -> DeviceFilter.any().matches(null))
                .withMessage("device");
        assertThatNullPointerException()
                .isThrownBy(() -> RepresentorFilter.any().negate().matches(null))
                .withMessage("representor");
    }

    @Test
    void refusesMalformedAddresses() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> pciAddress("3:0.0"))
                .withMessage("Not a PCI address: \"3:0.0\"; it is written like 03:00.0 or 0000:03:00.0");
    }

    private static List<String> names(DeviceFilter filter) {
        return Device.list().stream()
                .filter(filter::matches)
                .map(device -> device.ibDevice().orElseThrow())
                .toList();
    }
}
