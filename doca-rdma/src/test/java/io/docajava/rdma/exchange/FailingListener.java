/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.exchange;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A listener whose calls of {@link #accept()} a test replaces, for example by failures. */
final class FailingListener extends ServerSocketChannel {

    private final ServerSocketChannel listener;
    private final Accept accept;
    private int calls;

    /** Replaces {@link #accept()}. */
    @FunctionalInterface
    interface Accept {

        /**
         * Accepts a connection or fails.
         *
         * @param listener the wrapped listener
         * @param call the number of the call; the first call has the number 1
         */
        SocketChannel accept(ServerSocketChannel listener, int call) throws IOException;
    }

    /** Wraps a listener, and closes it when this one is closed. */
    FailingListener(ServerSocketChannel listener, Accept accept) {
        super(listener.provider());
        this.listener = listener;
        this.accept = accept;
    }

    /**
     * Returns a listener some of whose calls fail as if the process had no free descriptor.
     *
     * @param firstFailure the number of the first call that fails; the first call has the number 1
     * @param lastFailure the number of the last one
     */
    static FailingListener withoutDescriptors(ServerSocketChannel listener, int firstFailure, int lastFailure) {
        return new FailingListener(listener, (wrapped, call) -> {
            if (call >= firstFailure && call <= lastFailure && wrapped.isOpen()) {
                throw new IOException("Too many open files");
            }
            return wrapped.accept();
        });
    }

    @Override
    public SocketChannel accept() throws IOException {
        calls++;
        return accept.accept(listener, calls);
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
