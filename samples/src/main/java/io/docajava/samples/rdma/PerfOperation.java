/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.Mmap;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaOperation;
import java.util.Arrays;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The operations that can be measured. */
enum PerfOperation {
    /** Writes to the server's memory. */
    WRITE,
    /** Reads of the server's memory. */
    READ,
    /** Sends to the server, which receives. */
    SEND;

    /** Prepares an operation of the given size, at the beginning of both maps. */
    Repeated prepare(RdmaConnection connection, BufInventory buffers, Mmap own, Mmap remote, long size) {
        return switch (this) {
            case WRITE ->
                new Repeated(connection.task(
                        RdmaOperation.write(buffers.data(own, 0, size), buffers.space(remote, 0, size))));
            case READ -> {
                Buf target = buffers.space(own, 0, size);
                yield new Repeated(connection.task(RdmaOperation.read(buffers.data(remote, 0, size), target)), target);
            }
            case SEND -> new Repeated(connection.task(RdmaOperation.send(buffers.data(own, 0, size))));
        };
    }

    /** Returns the name on the command line. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Parses the name of an operation, in upper or lower case. */
    static final class Converter implements ITypeConverter<PerfOperation> {

        @Override
        public PerfOperation convert(String text) {
            return Arrays.stream(values())
                    .filter(operation -> operation.label().equalsIgnoreCase(text))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("'" + text + "' is none of write, read and send"));
        }
    }
}
