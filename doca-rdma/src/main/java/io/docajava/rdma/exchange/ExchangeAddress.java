/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.exchange;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and formats addresses. */
final class ExchangeAddress {

    private static final String UNIX = "unix:";

    private ExchangeAddress() {}

    static SocketAddress parse(String text) {
        if (text.startsWith(UNIX) && text.length() > UNIX.length()) {
            return UnixDomainSocketAddress.of(text.substring(UNIX.length()));
        }
        Matcher tcp = Tcp.FORM.matcher(text);
        int port = tcp.matches() ? Integer.parseInt(tcp.group("port")) : 0;
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("\"" + text
                    + "\" is not an address: use host:port, [IPv6]:port or :port, with a port from 1 to 65535, or"
                    + " unix:path");
        }
        String host = tcp.group("host");
        return host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
    }

    /** Returns an address in the notation that {@link #parse} accepts. */
    static String describe(SocketAddress address) {
        if (address instanceof UnixDomainSocketAddress unix) {
            return UNIX + unix.getPath();
        }
        if (address instanceof InetSocketAddress tcp) {
            String host = tcp.getHostString();
            return (host.contains(":") ? "[" + host + "]" : host) + ":" + tcp.getPort();
        }
        return address.toString();
    }

    private static final class Tcp {

        /** An IPv6 address, which has a colon, and the zone of a link-local address, such as {@code tmfifo_net0}. */
        private static final String IPV6 = "\\[(?=[^%\\]]*:)[0-9a-fA-F:.]+(?:%[^\\[\\]/\\s]+)?]";

        static final Pattern FORM = Pattern.compile("(?<host>" + IPV6 + "|[^:\\[\\]/\\s]*):(?<port>\\d{1,5})");
    }
}
