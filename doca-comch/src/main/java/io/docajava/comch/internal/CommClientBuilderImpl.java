/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch.internal;

import io.docajava.comch.CommCapabilities;
import io.docajava.comch.CommClient;
import io.docajava.comch.CommClientBuilder;
import io.docajava.comch.MessageHandler;
import io.docajava.core.device.Device;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import java.util.Objects;

/** The implementation of {@link CommClientBuilder}. */
public final class CommClientBuilderImpl extends AbstractEndpointBuilder<CommClientBuilder>
        implements CommClientBuilder {

    CommClientBuilderImpl(Device device, String name) {
        super(device, name, "client");
    }

    @Override
    public CommClient start(ProgressEngine engine, MessageHandler messages) {
        Objects.requireNonNull(engine, "engine");
        return start(engine, messages, CommClientImpl::new);
    }

    @Override
    public CommClient start(ProgressLoop loop, MessageHandler messages) {
        Objects.requireNonNull(loop, "loop");
        Objects.requireNonNull(messages, "messages");
        return startOn(loop, engine -> start(engine, messages));
    }

    @Override
    void checkOffered(CommCapabilities capabilities) {
        if (!capabilities.client()) {
            throw notOffered("clients are on the host");
        }
    }

    @Override
    EndpointObject createObject() {
        return new EndpointObject(
                device(),
                null,
                name(),
                "CommClient of \"" + name() + "\" on " + device().info().displayName());
    }
}
