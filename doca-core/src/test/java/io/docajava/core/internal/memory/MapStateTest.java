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

    @Test
    void knowsWhatAnExporterGrants() {
        MapState some = imported(7, new Grants("A", "B", "C", "D", "E"));

        assertThat(some.isImported()).isTrue();
        assertThat(some.isWritable()).isFalse();
        assertThat(some.isUsableBy(1)).isFalse();
        assertThat(some.grants().missingToRead()).isEqualTo("A");
        assertThat(some.grants().missingToWrite()).isEqualTo("B");
        assertThat(some.grants().missingForRdmaReads()).isEqualTo("C");
        assertThat(some.grants().missingForRdmaWrites()).isEqualTo("D");
        assertThat(some.grants().missingForRdmaAtomics()).isEqualTo("E");
        for (MapState all : new MapState[] {imported(7), local(1)}) {
            assertThat(all.isImported()).isEqualTo(all.base() == 4096);
            assertThat(all.isWritable()).isTrue();
            assertThat(all.isUsableBy(1)).isTrue();
            assertThat(all.grants().missingToRead()).isNull();
            assertThat(all.grants().missingForRdmaReads()).isNull();
            assertThat(all.grants().missingForRdmaWrites()).isNull();
            assertThat(all.grants().missingForRdmaAtomics()).isNull();
        }
    }

    private MapState local(long... devices) {
        MemorySegment memory = Arena.global().allocate(64);
        return MapState.local(1, memory, false, null, devices, resource);
    }

    private MapState imported(int descriptor) {
        return imported(descriptor, new Grants(null, null, null, null, null));
    }

    private MapState imported(int descriptor, Grants grants) {
        return MapState.imported(1, 4096, 64, new byte[] {1, 2, (byte) descriptor}, grants, 1, resource);
    }
}
