/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.context.Context;
import io.docajava.core.context.ContextListener;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Sends to and receives from peers, and works in their memory, {@code struct doca_rdma}. */
@SuppressWarnings("all")
public final class RdmaContext implements Context {

    private RdmaContext() {}

    /** Whether a device offers any operation of RDMA. Any thread may ask. */
    public static boolean isSupported(DeviceInfo device) {
        return RdmaCapabilities.isSupported(device);
    }

    /** Whether a device offers an operation. Any thread may ask. */
    public static boolean isSupported(DeviceInfo device, RdmaTaskType type) {
        return RdmaCapabilities.of(device).tasks().contains(type);
    }

    /** Configures a context on an open device. */
    public static Builder builder(Device device) {
        return new Builder();
    }

    /** What the device can do. */
    public RdmaCapabilities capabilities() {
        throw notYet();
    }

    /** Prepares a connection whose details go to the peer by other means. */
    public RdmaConnection prepareConnection() {
        throw notYet();
    }

    /** Connects to a peer that listens; completes when data can flow. */
    public Completion<RdmaConnection> connect(RdmaAddress address, int port) {
        throw notYet();
    }

    /** Lets peers ask for connections. */
    public RdmaListener listen(int port, Consumer<? super ConnectionRequest> handler) {
        throw notYet();
    }

    /** The connections that are not over. */
    public List<RdmaConnection> connections() {
        throw notYet();
    }

    /** Posts a receive into the room of a buffer. */
    public Completion<Received> receive(Buf buffer) {
        throw notYet();
    }

    /** Posts a receive without a buffer, for messages without data and for writes with immediate data. */
    public Completion<Received> receive() {
        throw notYet();
    }

    /** Posts a receive into the room of a buffer. */
    public void receive(Buf buffer, ReceiveHandler handler) {
        throw notYet();
    }

    /** Posts a receive without a buffer. */
    public void receive(ReceiveHandler handler) {
        throw notYet();
    }

    /** Prepares a receive. */
    public ReceiveTask receiveTask(Buf buffer) {
        throw notYet();
    }

    /** Prepares a receive without a buffer. */
    public ReceiveTask receiveTask() {
        throw notYet();
    }

    /** Opens a batch. */
    public RdmaBatch batch() {
        throw notYet();
    }

    @Override
    public Device device() {
        throw notYet();
    }

    @Override
    public ProgressEngine engine() {
        throw notYet();
    }

    @Override
    public ContextState state() {
        throw notYet();
    }

    @Override
    public Optional<TaskFailedException> failure() {
        throw notYet();
    }

    @Override
    public int inFlight() {
        throw notYet();
    }

    @Override
    public void addListener(ContextListener listener) {
        throw notYet();
    }

    @Override
    public void removeListener(ContextListener listener) {
        throw notYet();
    }

    @Override
    public void stop() {
        throw notYet();
    }

    @Override
    public void drain(Duration timeout) throws TimeoutException, InterruptedException {
        throw notYet();
    }

    @Override
    public void restart() {
        throw notYet();
    }

    @Override
    public void close() {
        throw notYet();
    }

    private static UnsupportedOperationException notYet() {
        return new UnsupportedOperationException("Not yet");
    }

    /** Configures a {@link RdmaContext}. */
    @SuppressWarnings("all")
    public static final class Builder {

        private Builder() {}

        /** What peers may do with memory of this side: LOCAL_READ_WRITE if not set, and so nothing. */
        public Builder permissions(Access permissions) {
            return this;
        }

        /** How many operations of each kind but receives may be in flight; 64 if not set. */
        public Builder maxTasks(int tasks) {
            return this;
        }

        /** How many operations of one kind may be in flight. */
        public Builder maxTasks(RdmaTaskType type, int tasks) {
            return this;
        }

        /** How many receives may be posted; 64 if not set. */
        public Builder maxReceives(int receives) {
            return this;
        }

        /** How many operations the send queue holds. */
        public Builder sendQueueSize(int operations) {
            return this;
        }

        /** How many receives the receive queue holds. */
        public Builder receiveQueueSize(int receives) {
            return this;
        }

        /** How many elements a list to send from may have. */
        public Builder maxSendListLength(int elements) {
            return this;
        }

        /** How many elements a list to receive into may have. */
        public Builder maxReceiveListLength(int elements) {
            return this;
        }

        /** How connections carry their data. */
        public Builder transport(TransportType transport) {
            return this;
        }

        /** The most bytes of one packet. */
        public Builder mtu(Mtu mtu) {
            return this;
        }

        /** Whether packets have a global route header. */
        public Builder grh(boolean enabled) {
            return this;
        }

        /** Which entry of the device's table of global identifiers is used. */
        public Builder gidIndex(int index) {
            return this;
        }

        /** The service level of packets. */
        public Builder serviceLevel(int level) {
            return this;
        }

        /** How long a connection by address may take. */
        public Builder connectionRequestTimeout(Duration timeout) {
            return this;
        }

        /** How many connections there may be at a time. */
        public Builder maxConnections(int connections) {
            return this;
        }

        /** How often a send is tried again for which the peer has no receive. */
        public Builder rnrRetryCount(int retries) {
            return this;
        }

        /** How connections by details learn that data can flow. */
        public Builder connectionCheck(ConnectionCheck check) {
            return this;
        }

        /** How long closing and restarting wait. */
        public Builder closeTimeout(Duration timeout) {
            return this;
        }

        /** Adds a listener that learns of the start as well. */
        public Builder listener(ContextListener listener) {
            return this;
        }

        /** Creates the context and starts it. */
        public RdmaContext start(ProgressEngine engine) {
            throw notYet();
        }
    }
}
