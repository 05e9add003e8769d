/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import org.jspecify.annotations.Nullable;

/**
 * The permissions that an exporter of memory grants. Each value is the name of the missing permission, or null if it is granted
 * or the export does not state it.
 *
 * @param missingToRead to read over the PCI bus
 * @param missingToWrite to write over the PCI bus
 * @param missingForRdmaReads to read by RDMA
 * @param missingForRdmaWrites to write by RDMA
 * @param missingForRdmaAtomics for atomic operations of RDMA
 */
public record Grants(
        @Nullable String missingToRead,
        @Nullable String missingToWrite,
        @Nullable String missingForRdmaReads,
        @Nullable String missingForRdmaWrites,
        @Nullable String missingForRdmaAtomics) {}
