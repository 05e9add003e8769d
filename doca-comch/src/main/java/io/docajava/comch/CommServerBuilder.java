/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.DocaException;
import io.docajava.comch.internal.CommServerBuilderImpl;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import java.util.concurrent.RejectedExecutionException;

/** Configures a {@link CommServer} and starts it. A builder is used by one thread at a time. */
public sealed interface CommServerBuilder extends CommEndpointBuilder<CommServerBuilder> permits CommServerBuilderImpl {

    /**
     * Creates the server and starts it ({@code doca_comch_server_create}, its setters, {@code doca_pe_connect_ctx}, {@code
     * doca_ctx_start}). Clients can then connect to it.
     *
     * @param engine that progresses the server, and whose thread calls
     * @param messages receives the messages of all clients, including those after a restart
     * @return the running server, to be closed by the engine's thread
     * @throws IllegalArgumentException if the device does not support servers, a setting exceeds a limit of the device, the
     *     representor was not opened on the device, or the name is not valid
     * @throws IllegalStateException if the device, the representor or the engine is closed, or another thread than the engine's
     *     calls
     * @throws DocaException if the SDK cannot start the server, for example because another server has the name
     */
    CommServer start(ProgressEngine engine, MessageHandler messages);

    /**
     * Creates the server and starts it on a loop, as {@link #start(ProgressEngine, MessageHandler)} does. Any thread may call, except
     * for that of another loop. Any thread may then send with a future, and stop, restart and close the server.
     *
     * @param loop that progresses the server, and closes it at the end unless it is closed before
     * @param messages called by the thread of the loop
     * @return the running server
     * @throws IllegalStateException if the thread of another loop calls
     * @throws RejectedExecutionException if the loop is closed or has failed
     */
    CommServer start(ProgressLoop loop, MessageHandler messages);
}
