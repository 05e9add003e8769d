/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.internal.lifecycle.Resource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MapStateTest {

    private final Resource resource = Resource.open(this, "map");

    @AfterEach
    void close() {
        resource.close(() -> {});
    }

    @Test
    void isRegisteredWithEachOfItsDevices() {
        assertThat(local(1).isRegisteredWith(1)).isTrue();
        assertThat(local(1).isRegisteredWith(2)).isFalse();
        assertThat(local(1, 2, 3).isRegisteredWith(1)).isTrue();
        assertThat(local(1, 2, 3).isRegisteredWith(3)).isTrue();
        assertThat(local(1, 2, 3).isRegisteredWith(4)).isFalse();
        assertThat(imported(7).isRegisteredWith(1)).isTrue();
        assertThat(imported(7).isRegisteredWith(2)).isFalse();
    }

    @Test
    void sharesAddressesWithMapsOfTheSameProcess() {
        MapState local = local(1);
        MapState remote = imported(7);

        assertThat(local.sharesAddressesWith(local)).isTrue();
        assertThat(local.sharesAddressesWith(local(2))).isTrue();
        assertThat(local.sharesAddressesWith(remote)).isFalse();
        assertThat(remote.sharesAddressesWith(local)).isFalse();
        assertThat(remote.sharesAddressesWith(remote)).isTrue();
        assertThat(remote.sharesAddressesWith(imported(7))).isTrue();
        assertThat(remote.sharesAddressesWith(imported(8))).isFalse();
    }

    private MapState local(long... devices) {
        MemorySegment memory = Arena.global().allocate(64);
        return MapState.local(1, memory, false, null, devices, resource);
    }

    private MapState imported(int descriptor) {
        return MapState.imported(1, 4096, 64, new byte[] {1, 2, (byte) descriptor}, null, 1, resource);
    }
}
