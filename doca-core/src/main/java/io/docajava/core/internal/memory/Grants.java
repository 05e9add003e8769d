/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import org.jspecify.annotations.Nullable;

/**
 * Permissions that the exporter of memory grants to others. Each is the name of the permission that they lack; null where
 * they have it, or where the export does not say and they have to try.
 *
 * @param missingToRead to read it over the PCI bus
 * @param missingToWrite to write it over the PCI bus
 * @param missingForRdmaReads to read it by RDMA
 * @param missingForRdmaWrites to write it by RDMA
 * @param missingForRdmaAtomics to change it by atomic operations of RDMA
 */
public record Grants(
        @Nullable String missingToRead,
        @Nullable String missingToWrite,
        @Nullable String missingForRdmaReads,
        @Nullable String missingForRdmaWrites,
        @Nullable String missingForRdmaAtomics) {}
