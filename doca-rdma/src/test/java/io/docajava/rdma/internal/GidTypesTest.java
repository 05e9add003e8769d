/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GidTypesTest {

    @TempDir
    private Path devices;

    @Test
    void readsTheTypeOfAnEntry() throws IOException {
        Path types = Files.createDirectories(devices.resolve("mlx5_0/ports/1/gid_attrs/types"));
        Files.writeString(types.resolve("0"), "IB/RoCE v1\n");
        Files.writeString(types.resolve("3"), "RoCE v2\n");
        Files.writeString(types.resolve("4"), "\n");
        GidTypes read = new GidTypes(devices);

        assertThat(read.of("mlx5_0", 0)).hasValue("IB/RoCE v1");
        assertThat(read.of("mlx5_0", 3)).hasValue("RoCE v2");
        assertThat(read.of("mlx5_0", 4)).isEmpty();
        assertThat(read.of("mlx5_0", 5)).isEmpty();
        assertThat(read.of("mlx5_1", 0)).isEmpty();
        assertThat(read.of("\0", 0)).isEmpty();
    }
}
