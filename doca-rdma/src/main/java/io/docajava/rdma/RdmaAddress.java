/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;

/**
 * The address of a listening peer ({@code struct doca_rdma_addr}, without its port). It is an address of the peer's RDMA device,
 * not of another network interface.
 *
 * @param type the kind of address, by which the SDK parses {@code text}
 * @param text the address in the SDK's notation, such as {@code 192.168.100.1} or {@code fe80::1}; printable ASCII without spaces
 */
public record RdmaAddress(Type type, String text) {

    /** The size of a global identifier in bytes. */
    private static final int GID_BYTES = 16;

    /** The number of groups of 16 bits in the text of a global identifier. */
    private static final int GID_GROUPS = GID_BYTES / 2;

    /** The kinds of addresses ({@code enum doca_rdma_addr_type}). */
    public enum Type {
        /** An address of IP version 4, in dotted decimal notation. */
        IPV4,
        /** An address of IP version 6. */
        IPV6,
        /** A global identifier (GID) of the device's table, in the notation of IP version 6. */
        GID;
    }

    /**
     * Creates an address. The SDK parses it when it is used.
     *
     * @throws IllegalArgumentException if {@code text} is blank, has characters other than printable ASCII, or is no global
     *     identifier although the type is {@link Type#GID}
     */
    public RdmaAddress {
        Objects.requireNonNull(text, "text");
        Objects.requireNonNull(type, "type");
        if (text.isBlank() || text.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new IllegalArgumentException("Not an RDMA address: \"" + text + "\"");
        }
        if (type == Type.GID && !isGid(text)) {
            throw new IllegalArgumentException(
                    "A GID is written as an address of IP version 6, such as fe80::1, and not \"" + text + "\"");
        }
    }

    /** Returns whether a text is an address of IP version 6, in which one {@code ::} may stand for missing groups. */
    private static boolean isGid(String text) {
        int gap = text.indexOf("::");
        if (gap < 0) {
            return groups(text) == GID_GROUPS;
        }
        String before = text.substring(0, gap);
        String after = text.substring(gap + 2);
        return before.indexOf('.') < 0
                && (before.isEmpty() ? 0 : groups(before)) + (after.isEmpty() ? 0 : groups(after)) < GID_GROUPS;
    }

    /** Returns the number of groups of 16 bits, where an IPv4 address at the end counts as 2; far too many if one is wrong. */
    private static int groups(String text) {
        String[] groups = text.split(":", -1);
        int last = groups.length - 1;
        for (int i = 0; i < last; i++) {
            if (!isNumber(groups[i], 16, 4)) {
                return Short.MAX_VALUE;
            }
        }
        if (isNumber(groups[last], 16, 4)) {
            return groups.length;
        }
        return isIpv4(groups[last]) ? groups.length + 1 : Short.MAX_VALUE;
    }

    private static boolean isIpv4(String text) {
        String[] bytes = text.split("\\.", -1);
        for (String one : bytes) {
            if (!isNumber(one, 10, 3) || (one.length() == 3 && one.compareTo("255") > 0)) {
                return false;
            }
        }
        return bytes.length == 4;
    }

    private static boolean isNumber(String text, int radix, int most) {
        return !text.isEmpty() && text.length() <= most && text.chars().allMatch(c -> Character.digit(c, radix) >= 0);
    }

    /**
     * Returns the RDMA address of a socket address, without its port.
     *
     * @param address whose host is resolved
     * @return an address of type {@link Type#IPV4} or {@link Type#IPV6}
     * @throws IllegalArgumentException if the host is not resolved
     */
    public static RdmaAddress of(InetSocketAddress address) {
        Objects.requireNonNull(address, "address");
        if (address.isUnresolved()) {
            throw new IllegalArgumentException("The host is not resolved: " + address.getHostString());
        }
        return of(address.getAddress());
    }

    /**
     * Returns the RDMA address for an {@code InetAddress}.
     *
     * @param address an IPv4 or IPv6 address; the zone of an IPv6 address is dropped
     * @return an address of type {@link Type#IPV4} or {@link Type#IPV6}
     */
    public static RdmaAddress of(InetAddress address) {
        Objects.requireNonNull(address, "address");
        String text = address.getHostAddress();
        if (address instanceof Inet6Address) {
            int zone = text.indexOf('%');
            return new RdmaAddress(Type.IPV6, zone < 0 ? text : text.substring(0, zone));
        }
        return new RdmaAddress(Type.IPV4, text);
    }

    /**
     * Returns an address of IP version 4.
     *
     * @param text such as {@code 192.168.100.1}; the SDK parses it when the address is used
     * @return an address of type {@link Type#IPV4}
     * @throws IllegalArgumentException if {@code text} is blank, or has characters other than printable ASCII
     */
    public static RdmaAddress ipv4(String text) {
        return new RdmaAddress(Type.IPV4, text);
    }

    /**
     * Returns an address of IP version 6.
     *
     * @param text such as {@code fe80::1}; the SDK parses it when the address is used
     * @return an address of type {@link Type#IPV6}
     * @throws IllegalArgumentException if {@code text} is blank, or has characters other than printable ASCII
     */
    public static RdmaAddress ipv6(String text) {
        return new RdmaAddress(Type.IPV6, text);
    }

    /**
     * Returns a global identifier for its text.
     *
     * @param text in the notation of IP version 6, without a zone
     * @return an address of type {@link Type#GID}
     * @throws IllegalArgumentException if {@code text} is in another notation
     */
    public static RdmaAddress gid(String text) {
        return new RdmaAddress(Type.GID, text);
    }

    /**
     * Returns a global identifier for its bytes.
     *
     * @param raw 16 bytes in network byte order
     * @return an address of type {@link Type#GID}
     * @throws IllegalArgumentException if {@code raw} does not have 16 bytes
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
