/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.device;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.docajava.DocaException;
import io.docajava.core.DocaError;
import io.docajava.core.device.Device;
import io.docajava.core.device.PciAddress;
import io.docajava.core.device.PciFunctionType;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.log.SafeLog;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.internal.NativeLoading;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls the SDK's getters of one native object. A property that the object or the SDK does not have is empty. */
final class PropertyReader {

    private static final Logger LOG = LoggerFactory.getLogger(Device.class);

    private final String what;
    private final MemorySegment object;
    /** The memory that the getters write to. */
    private final MemorySegment out;

    /** Reads properties of an object, which {@code what} names in the log: {@code a device}. */
    PropertyReader(String what, MemorySegment object, Arena arena) {
        this.what = what;
        this.object = object;
        // The size of the longest value, and one byte for a terminator that the SDK may omit.
        this.out = arena.allocate(DocaCommon.DOCA_DEVINFO_IFACE_NAME_SIZE() + 1, Long.BYTES);
    }

    /** Returns the PCI address, which every object has. */
    PciAddress pciAddress(String function, Getter getter) {
        Calls.check(getter.get(object, out), function, "reading the PCI address of " + what);
        return PciAddress.parse(out.getString(0, StandardCharsets.UTF_8));
    }

    Optional<PciFunctionType> functionType(String function, Getter getter) {
        return switch (integer(function, getter).orElse(-1)) {
            case 0 -> Optional.of(PciFunctionType.PHYSICAL);
            case 1 -> Optional.of(PciFunctionType.VIRTUAL);
            case 2 -> Optional.of(PciFunctionType.SCALABLE);
            default -> Optional.empty();
        };
    }

    Optional<String> text(String function, Getter getter) {
        String text = has(function, getter) ? out.getString(0, StandardCharsets.UTF_8) : "";
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    Optional<String> text(String function, SizedGetter getter, int size) {
        return text(function, (info, text) -> getter.get(info, text, size));
    }

    OptionalInt integer(String function, Getter getter) {
        return has(function, getter) ? OptionalInt.of(out.get(JAVA_INT, 0)) : OptionalInt.empty();
    }

    OptionalInt shortInteger(String function, Getter getter) {
        return has(function, getter)
                ? OptionalInt.of(Short.toUnsignedInt(out.get(JAVA_SHORT, 0)))
                : OptionalInt.empty();
    }

    OptionalLong longInteger(String function, Getter getter) {
        return has(function, getter) ? OptionalLong.of(out.get(JAVA_LONG, 0)) : OptionalLong.empty();
    }

    boolean flag(String function, Getter getter) {
        return has(function, getter) && out.get(JAVA_BYTE, 0) != 0;
    }

    Optional<byte[]> bytes(String function, SizedGetter getter, int size) {
        return has(function, (info, bytes) -> getter.get(info, bytes, size))
                ? Optional.of(out.asSlice(0, size).toArray(JAVA_BYTE))
                : Optional.empty();
    }

    /** Calls a getter. Returns false if the SDK lacks the function or the object has no such value. */
    private boolean has(String function, Getter getter) {
        if (!NativeLoading.sdk().has(function)) {
            return false;
        }
        out.fill((byte) 0);
        return Calls.probe(() -> succeeds(function, getter));
    }

    /** Calls a getter. An unexpected failure is only logged, so that the other properties can be read. */
    private boolean succeeds(String function, Getter getter) {
        int result = getter.get(object, out);
        if (result == DocaError.SUCCESS.code()) {
            return true;
        }
        if (result != DocaError.NOT_SUPPORTED.code() && result != DocaError.NOT_FOUND.code() && LOG.isDebugEnabled()) {
            DocaException failure = Calls.failure(result, function, "reading a property of " + what);
            SafeLog.write(failure, () -> LOG.debug("{}", failure.getMessage()));
        }
        return false;
    }

    interface Getter {
        int get(MemorySegment object, MemorySegment out);
    }

    /** A getter of bytes, which takes their number. */
    interface SizedGetter {
        int get(MemorySegment object, MemorySegment out, int size);
    }
}
