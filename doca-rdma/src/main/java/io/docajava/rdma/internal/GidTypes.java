/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The protocols of the entries of GID tables, as Linux reports them.
 *
 * @param devices the folder that contains a folder for each InfiniBand device
 */
record GidTypes(Path devices) {

    /** Reads the types of this machine's devices. */
    GidTypes() {
        this(Path.of("/sys/class/infiniband"));
    }

    /**
     * Returns the type of an entry of the table of the first port, such as {@code RoCE v2}; empty for an unused entry, and if Linux
     * does not report it.
     */
    Optional<String> of(String ibDevice, int index) {
        try {
            Path file = devices.resolve(ibDevice).resolve("ports/1/gid_attrs/types/" + index);
            return Optional.of(
                            Files.readString(file, StandardCharsets.ISO_8859_1).strip())
                    .filter(type -> !type.isEmpty());
        } catch (IOException | InvalidPathException e) {
            return Optional.empty();
        }
    }
}
