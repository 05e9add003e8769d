/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.DocaException;
import io.docajava.comch.internal.CommClientBuilderImpl;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import java.util.concurrent.RejectedExecutionException;

/** Configures a {@link CommClient} and starts it. A builder is used by one thread at a time. */
public sealed interface CommClientBuilder extends CommEndpointBuilder<CommClientBuilder> permits CommClientBuilderImpl {

    /**
     * Creates the client and starts to connect it ({@code doca_comch_client_create}, its setters, {@code doca_pe_connect_ctx},
     * {@code doca_ctx_start}). Progress establishes the connection and completes {@link CommClient#whenConnected()}.
     *
     * @param engine that progresses the client, and whose thread calls
     * @param messages receives all messages of the server, including those after a restart
     * @return the starting client, to be closed by the engine's thread
     * @throws IllegalArgumentException if the device does not support clients, a setting exceeds a limit of the device, or the name
     *     is not valid
     * @throws IllegalStateException if the device or the engine is closed, or another thread than the engine's calls
     * @throws DocaException if the SDK cannot start the client, with {@code CONNECTION_ABORTED} if there is no server of the name
     */
    CommClient start(ProgressEngine engine, MessageHandler messages);

    /**
     * Creates the client and starts it on a loop, as {@link #start(ProgressEngine, MessageHandler)} does. Any thread may call, except
     * for that of another loop. Any thread may then send with a future, and stop, restart and close the client.
     *
     * @param loop that progresses the client, and closes it at the end unless it is closed before
     * @param messages called by the thread of the loop
     * @return the starting client
     * @throws IllegalStateException if the thread of another loop calls
     * @throws RejectedExecutionException if the loop is closed or has failed
     */
    CommClient start(ProgressLoop loop, MessageHandler messages);
}
