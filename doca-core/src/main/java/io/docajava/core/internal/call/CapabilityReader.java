/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.call;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.docajava.core.DocaError;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.ToIntBiFunction;
import java.util.function.ToIntFunction;

/** Reads the capabilities of one device. One that the SDK reports as not supported is false or 0; other errors are thrown. */
public final class CapabilityReader {

    private final MemorySegment device;
    private final String attempt;

    /**
     * Creates a reader.
     *
     * @param device the native description of the device
     * @param attempt describes the calls in errors: {@code reading the RDMA capabilities of mlx5_0}
     */
    public CapabilityReader(MemorySegment device, String attempt) {
        this.device = device;
        this.attempt = attempt;
    }

    /** Returns whether a function, which answers by its result, reports a capability. */
    public boolean can(String function, ToIntFunction<MemorySegment> query) {
        int result = query.applyAsInt(device);
        if (result == DocaError.NOT_SUPPORTED.code()) {
            return false;
        }
        Calls.check(result, function, attempt);
        return true;
    }

    /** Returns whether a function, which writes its answer as a byte, reports a capability. */
    public boolean flag(String function, ToIntBiFunction<MemorySegment, MemorySegment> query) {
        return value(function, query, out -> out.get(JAVA_BYTE, 0)) != 0;
    }

    /** Returns a limit, which a function writes as an unsigned number of 32 bits. */
    public long limit(String function, ToIntBiFunction<MemorySegment, MemorySegment> query) {
        return Integer.toUnsignedLong(value(function, query, out -> out.get(JAVA_INT, 0)));
    }

    /** Returns the decoded answer of a function that writes at most 32 bits, or 0 if the capability is not supported. */
    private int value(
            String function, ToIntBiFunction<MemorySegment, MemorySegment> query, ToIntFunction<MemorySegment> decode) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_INT);
            return can(function, info -> query.applyAsInt(info, out)) ? decode.applyAsInt(out) : 0;
        }
    }
}
