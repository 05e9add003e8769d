/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.core.device.Device;
import io.docajava.core.internal.context.ContextBuilderBase;
import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.core.internal.engine.EngineImpl;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.ffi.generated.common.DocaCommon;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings that are common to {@link CommServer} and {@link CommClient}. The SDK chooses values that are not set, except {@link
 * #maxSends}.
 *
 * @param <B> the builder itself
 */
@SuppressWarnings("exports") // the methods of the base class return this builder
public abstract sealed class CommEndpointBuilder<B extends CommEndpointBuilder<B>> extends ContextBuilderBase<B>
        permits CommServerBuilder, CommClientBuilder {

    private static final int DEFAULT_SENDS = 64;

    private final String name;
    /** The words {@code server} or {@code client}, for messages. */
    private final String kind;

    private OptionalInt maxMessageSize = OptionalInt.empty();
    private OptionalInt receiveQueueSize = OptionalInt.empty();
    private OptionalInt maxSends = OptionalInt.empty();
    private final List<CommConnectionListener> connectionListeners = new ArrayList<>();

    CommEndpointBuilder(Device device, String name, String kind) {
        super(device);
        this.name = Objects.requireNonNull(name, "name");
        this.kind = kind;
    }

    /**
     * Sets the length of the longest message ({@code doca_comch_..._set_max_msg_size}). A server and its clients must have the
     * same value, or the server refuses the clients. NVIDIA's default is 2048, or the limit of the device if that is lower.
     *
     * @param bytes 1 to {@link CommCapabilities#maxMessageSize()}; more is refused when the endpoint is started
     * @return this builder
     * @throws IllegalArgumentException if {@code bytes} is less than 1
     */
    public B maxMessageSize(int bytes) {
        maxMessageSize = OptionalInt.of(atLeastOne(bytes, "bytes of a message"));
        return self();
    }

    /**
     * Sets how many messages of a connection may wait until progress delivers them ({@code doca_comch_..._set_recv_queue_size}).
     * The peer's sends wait or are refused while the queue is full.
     *
     * @param messages 1 to {@link CommCapabilities#maxReceiveQueueSize()}; more is refused when the endpoint is started
     * @return this builder
     * @throws IllegalArgumentException if {@code messages} is less than 1
     */
    public B receiveQueueSize(int messages) {
        receiveQueueSize = OptionalInt.of(atLeastOne(messages, "messages of a receive queue"));
        return self();
    }

    /**
     * Sets how many sends may be in flight at the same time on all connections together ({@code
     * doca_comch_..._task_send_set_conf}); by default 64, or the limit of the device if that is lower.
     *
     * @param sends 1 to {@link CommCapabilities#maxSends()}; more is refused when the endpoint is started
     * @return this builder
     * @throws IllegalArgumentException if {@code sends} is less than 1
     */
    public B maxSends(int sends) {
        maxSends = OptionalInt.of(atLeastOne(sends, "sends in flight"));
        return self();
    }

    /**
     * Adds a listener for connections. A listener that is added before the start is notified of all connections.
     *
     * @param listener to be called by the engine's thread until {@link CommEndpoint#removeConnectionListener} removes it
     * @return this builder
     */
    public B connectionListener(CommConnectionListener listener) {
        connectionListeners.add(Objects.requireNonNull(listener, "listener"));
        return self();
    }

    /** Throws if the device does not support this kind of endpoint. */
    abstract void checkOffered(CommCapabilities capabilities);

    abstract EndpointObject createObject();

    final String name() {
        return name;
    }

    final IllegalArgumentException notOffered(String reason) {
        return new IllegalArgumentException(
                device().info().displayName() + " cannot have a comm " + kind + ": " + reason);
    }

    /** Creates an endpoint and starts it; the device cannot be closed meanwhile. */
    final <E extends CommEndpoint> E start(
            ProgressEngine engine, MessageHandler messages, Function<CommEndpoint.Parts, E> factory) {
        Objects.requireNonNull(messages, "messages");
        return start(engine, "a comm " + kind + " being created", () -> create(engine, messages, factory));
    }

    private <E extends CommEndpoint> E create(
            ProgressEngine engine, MessageHandler messages, Function<CommEndpoint.Parts, E> factory) {
        CommCapabilities capabilities = CommCapabilities.read(
                DocaCommon.doca_dev_as_devinfo(MemorySegment.ofAddress(DeviceImpl.address(device()))),
                device().info().displayName());
        checkOffered(capabilities);
        checkName(capabilities.maxNameLength());
        checkLimit(maxMessageSize, capabilities.maxMessageSize(), "bytes in a message");
        checkLimit(receiveQueueSize, capabilities.maxReceiveQueueSize(), "messages in its receive queue");
        checkLimit(maxSends, capabilities.maxSends(), "sends in flight");
        int sends = maxSends.orElse(Math.clamp(capabilities.maxSends(), 1, DEFAULT_SENDS));
        EndpointObject object = createObject();
        try {
            maxMessageSize.ifPresent(object::maxMessageSize);
            receiveQueueSize.ifPresent(object::receiveQueueSize);
            object.configureSends(EngineImpl.of(engine), sends);
            return factory.apply(new CommEndpoint.Parts(
                    device(),
                    engine,
                    name,
                    object,
                    capabilities,
                    object.limits(sends),
                    messages,
                    List.copyOf(connectionListeners),
                    closeTimeout()));
        } catch (Throwable failure) {
            object.discard();
            throw failure;
        }
    }

    private void checkName(long limit) {
        Matcher loneSurrogate = Pattern.compile("\\p{Cs}").matcher(name);
        if (loneSurrogate.find()) {
            int index = loneSurrogate.start();
            throw new IllegalArgumentException("The name of a comm server on "
                    + device().info().displayName() + " is a text in UTF-8, and cannot have half of a character: "
                    + String.format("\\u%04x at index %d", (int) name.charAt(index), index));
        }
        int length = name.getBytes(StandardCharsets.UTF_8).length;
        if (length < 1 || length > limit || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("The name of a comm server on "
                    + device().info().displayName() + " has 1 to " + limit + " bytes in UTF-8 and no NUL: \""
                    + name.replace("\0", "\\0") + "\"");
        }
    }

    private void checkLimit(OptionalInt asked, long limit, String what) {
        if (asked.isPresent() && asked.getAsInt() > limit) {
            throw new IllegalArgumentException("A comm " + kind + " on "
                    + device().info().displayName() + " can have " + limit + " " + what + " at most: "
                    + asked.getAsInt());
        }
    }

    private static int atLeastOne(int value, String what) {
        if (value < 1) {
            throw new IllegalArgumentException("A comm channel needs 1 or more " + what + ": " + value);
        }
        return value;
    }

    /** Returns the type of this builder and the name of the device. */
    @Override
    public final String toString() {
        return description();
    }
}
