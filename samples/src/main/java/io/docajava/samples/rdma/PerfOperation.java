/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.core.memory.Mmap;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaOperation;
import io.docajava.rdma.RdmaTask;
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
    RdmaTask prepare(RdmaConnection connection, Mmap own, Mmap remote, long size) {
        return connection.task(
                switch (this) {
                    case WRITE -> RdmaOperation.write(own.range(0, size), remote.range(0, size));
                    case READ -> RdmaOperation.read(remote.range(0, size), own.range(0, size));
                    case SEND -> RdmaOperation.send(own.range(0, size));
                });
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
