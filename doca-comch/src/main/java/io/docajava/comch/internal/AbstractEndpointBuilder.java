/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch.internal;

import io.docajava.comch.CommCapabilities;
import io.docajava.comch.CommConnectionListener;
import io.docajava.comch.CommEndpointBuilder;
import io.docajava.comch.MessageHandler;
import io.docajava.core.device.Device;
import io.docajava.core.internal.context.AbstractContextBuilder;
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
 * The settings that are common to servers and clients.
 *
 * @param <B> the builder itself
 */
public abstract sealed class AbstractEndpointBuilder<B extends CommEndpointBuilder<B>> extends AbstractContextBuilder<B>
        implements CommEndpointBuilder<B> permits CommServerBuilderImpl, CommClientBuilderImpl {

    private static final int DEFAULT_SENDS = 64;

    private final String name;
    /** The words {@code server} or {@code client}, for messages. */
    private final String kind;

    private OptionalInt maxMessageSize = OptionalInt.empty();
    private OptionalInt receiveQueueSize = OptionalInt.empty();
    private OptionalInt maxSends = OptionalInt.empty();
    private final List<CommConnectionListener> connectionListeners = new ArrayList<>();

    AbstractEndpointBuilder(Device device, String name, String kind) {
        super(device);
        this.name = Objects.requireNonNull(name, "name");
        this.kind = kind;
    }

    @Override
    public B maxMessageSize(int bytes) {
        maxMessageSize = OptionalInt.of(atLeastOne(bytes, "bytes of a message"));
        return self();
    }

    @Override
    public B receiveQueueSize(int messages) {
        receiveQueueSize = OptionalInt.of(atLeastOne(messages, "messages of a receive queue"));
        return self();
    }

    @Override
    public B maxSends(int sends) {
        maxSends = OptionalInt.of(atLeastOne(sends, "sends in flight"));
        return self();
    }

    @Override
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
    final <E extends AbstractEndpoint> E start(
            ProgressEngine engine, MessageHandler messages, Function<AbstractEndpoint.Parts, E> factory) {
        Objects.requireNonNull(messages, "messages");
        return start(engine, "a comm " + kind + " being created", () -> create(engine, messages, factory));
    }

    private <E extends AbstractEndpoint> E create(
            ProgressEngine engine, MessageHandler messages, Function<AbstractEndpoint.Parts, E> factory) {
        CommCapabilities capabilities = EndpointObject.capabilities(
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
            return factory.apply(new AbstractEndpoint.Parts(
                    device(),
                    EngineImpl.of(engine),
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
}
