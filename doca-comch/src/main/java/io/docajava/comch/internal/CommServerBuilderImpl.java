/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch.internal;

import io.docajava.comch.CommCapabilities;
import io.docajava.comch.CommServer;
import io.docajava.comch.CommServerBuilder;
import io.docajava.comch.MessageHandler;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceRepresentor;
import io.docajava.core.internal.device.RepresentorImpl;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import java.util.Objects;

/** The implementation of {@link CommServerBuilder}. */
public final class CommServerBuilderImpl extends AbstractEndpointBuilder<CommServerBuilder>
        implements CommServerBuilder {

    private final DeviceRepresentor representor;

    CommServerBuilderImpl(Device device, DeviceRepresentor representor, String name) {
        super(device, name, "server");
        this.representor = Objects.requireNonNull(representor, "representor");
    }

    @Override
    public CommServer start(ProgressEngine engine, MessageHandler messages) {
        Objects.requireNonNull(engine, "engine");
        Objects.requireNonNull(messages, "messages");
        return RepresentorImpl.resource(representor)
                .keepOpen(
                        "a comm server being created",
                        () -> start(engine, messages, parts -> new CommServerImpl(parts, representor)));
    }

    @Override
    public CommServer start(ProgressLoop loop, MessageHandler messages) {
        Objects.requireNonNull(loop, "loop");
        Objects.requireNonNull(messages, "messages");
        return startOn(loop, engine -> start(engine, messages));
    }

    @Override
    void checkOffered(CommCapabilities capabilities) {
        if (!capabilities.server()) {
            throw notOffered("servers are on the DPU");
        }
        if (!RepresentorImpl.isOf(representor, device())) {
            throw new IllegalArgumentException(representor + " was not opened on this " + device());
        }
    }

    @Override
    EndpointObject createObject() {
        String place =
                device().info().displayName() + " for " + representor.info().displayName();
        return new EndpointObject(device(), representor, name(), "CommServer \"" + name() + "\" on " + place);
    }
}
