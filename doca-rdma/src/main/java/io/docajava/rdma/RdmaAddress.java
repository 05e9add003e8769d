/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.ffi.generated.rdma.DocaRdma;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Objects;

/**
 * Where a peer listens, {@code struct doca_rdma_addr} but for the port: an address of its device, not of any network interface.
 *
 * @param type what kind of address it is
 * @param text as the SDK reads it: {@code 192.168.100.1}, {@code fe80::1}
 */
public record RdmaAddress(Type type, String text) {

    /** The size of a global identifier in bytes. */
    static final int GID_BYTES = 16;

    /** The kinds of addresses, {@code enum doca_rdma_addr_type}. */
    public enum Type {
        /** Four numbers. */
        IPV4,
        /** As of IP version 6. */
        IPV6,
        /** A global identifier of the device's table, written like an address of IP version 6. */
        GID;

        /** The value of the C enumeration. */
        int code() {
            return switch (this) {
                case IPV4 -> DocaRdma.DOCA_RDMA_ADDR_TYPE_IPv4();
                case IPV6 -> DocaRdma.DOCA_RDMA_ADDR_TYPE_IPv6();
                case GID -> DocaRdma.DOCA_RDMA_ADDR_TYPE_GID();
            };
        }
    }

    /**
     * An address in the words of the SDK, which looks at it when it is used.
     *
     * @throws IllegalArgumentException if the text is empty, or has characters that no address has
     */
    public RdmaAddress {
        Objects.requireNonNull(text, "text");
        Objects.requireNonNull(type, "type");
        if (text.isBlank() || text.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new IllegalArgumentException("Not an RDMA address: \"" + text + "\"");
        }
    }

    /** An address of the version of IP that it has. */
    public static RdmaAddress of(InetAddress address) {
        Objects.requireNonNull(address, "address");
        String text = address.getHostAddress();
        if (address instanceof Inet6Address) {
            int zone = text.indexOf('%');
            return new RdmaAddress(Type.IPV6, zone < 0 ? text : text.substring(0, zone));
        }
        return new RdmaAddress(Type.IPV4, text);
    }

    /** An address of IP version 4. */
    public static RdmaAddress ipv4(String text) {
        Objects.requireNonNull(text, "text");
        return new RdmaAddress(Type.IPV4, text);
    }

    /** An address of IP version 6. */
    public static RdmaAddress ipv6(String text) {
        Objects.requireNonNull(text, "text");
        return new RdmaAddress(Type.IPV6, text);
    }

    /** A global identifier as text. */
    public static RdmaAddress gid(String text) {
        Objects.requireNonNull(text, "text");
        return new RdmaAddress(Type.GID, text);
    }

    /**
     * A global identifier.
     *
     * @param raw its 16 bytes
     * @throws IllegalArgumentException if there are not 16
     */
    public static RdmaAddress gid(byte[] raw) {
        Objects.requireNonNull(raw, "raw");
        if (raw.length != GID_BYTES) {
            throw new IllegalArgumentException("A GID has " + GID_BYTES + " bytes, and not " + raw.length);
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < GID_BYTES; i += 2) {
            int group = (raw[i] & 0xff) * 256 + (raw[i + 1] & 0xff);
            text.append(i == 0 ? "" : ":").append(Integer.toHexString(group));
        }
        return gid(text.toString());
    }

    @Override
    public String toString() {
        return text;
    }
}
