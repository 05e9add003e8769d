/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch.internal;

import io.docajava.DocaException;
import io.docajava.comch.CommMessage;
import io.docajava.comch.CommServer;
import io.docajava.comch.CommServerBuilder;
import io.docajava.core.context.ContextState;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceRepresentor;
import io.docajava.core.internal.device.RepresentorImpl;

/** The implementation of {@link CommServer}. */
public final class CommServerImpl extends AbstractEndpoint implements CommServer {

    private final DeviceRepresentor representor;

    CommServerImpl(Parts parts, DeviceRepresentor representor) {
        super(parts, RepresentorImpl.resource(representor));
        this.representor = representor;
    }

    public static CommServerBuilder builder(Device device, DeviceRepresentor representor, String name) {
        return new CommServerBuilderImpl(device, representor, name);
    }

    @Override
    public DeviceRepresentor representor() {
        return representor;
    }

    @Override
    void disconnect(CommConnectionImpl connection) {
        checkRunningNow();
        connection.checkUsable();
        object().disconnect(connection);
        allConnections().endDisconnected(connection);
        engine().delivery().runPending();
    }

    @Override
    CommConnectionImpl beginByMessage(long pointer, CommMessage message) {
        throw new DocaException(
                message + " came to the " + this + " by an unknown connection (0x" + Long.toHexString(pointer) + ")");
    }

    @Override
    void stateChanged(ContextState next) {
        if (next == ContextState.IDLE) {
            allConnections().endAll();
        }
    }
}
