/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.exchange;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A listener some of whose calls of {@link #accept()} fail as if the process had no free descriptor. */
final class FailingListener extends ServerSocketChannel {

    private final ServerSocketChannel listener;
    private final int firstFailure;
    private final int lastFailure;
    private int calls;

    /**
     * Wraps a listener, and closes it when this one is closed.
     *
     * @param firstFailure the number of the first call that fails; the first call has the number 1
     * @param lastFailure the number of the last one
     */
    FailingListener(ServerSocketChannel listener, int firstFailure, int lastFailure) {
        super(listener.provider());
        this.listener = listener;
        this.firstFailure = firstFailure;
        this.lastFailure = lastFailure;
    }

    @Override
    public SocketChannel accept() throws IOException {
        calls++;
        if (calls >= firstFailure && calls <= lastFailure) {
            if (!isOpen()) {
                throw new ClosedChannelException();
            }
            throw new IOException("Too many open files");
        }
        return listener.accept();
    }

    @Override
    public ServerSocketChannel bind(SocketAddress address, int backlog) throws IOException {
        listener.bind(address, backlog);
        return this;
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> name, @Nullable T value) throws IOException {
        listener.setOption(name, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        return listener.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return listener.supportedOptions();
    }

    @Override
    public ServerSocket socket() {
        return listener.socket();
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        return listener.getLocalAddress();
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        listener.close();
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        listener.configureBlocking(block);
    }
}
