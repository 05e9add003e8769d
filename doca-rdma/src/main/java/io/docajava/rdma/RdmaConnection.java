/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.memory.Buf;
import io.docajava.core.progress.Completion;

/** A connection to a peer, {@code struct doca_rdma_connection}. */
@SuppressWarnings("all")
public final class RdmaConnection {

    private final RdmaContext context;

    RdmaConnection(RdmaContext context) {
        this.context = context;
    }

    /** The context that it is of. */
    public RdmaContext context() {
        return context;
    }

    /** Where it stands. Any thread may ask. */
    public ConnectionState state() {
        throw notYet();
    }

    /** The number that the SDK gave it. */
    public int id() {
        throw notYet();
    }

    /** What the peer needs to connect. */
    public ConnectionDetails details() {
        throw notYet();
    }

    /** Connects to the peer with these details; completes when data can flow. */
    public Completion<RdmaConnection> connect(ConnectionDetails peer) {
        throw notYet();
    }

    /** Ends the connection; completes when it is over. */
    public Completion<RdmaConnection> disconnect() {
        throw notYet();
    }

    /** Completes when the connection is over, whoever ended it. */
    public Completion<RdmaConnection> disconnected() {
        throw notYet();
    }

    /** Adds a listener. */
    public void addListener(ConnectionListener listener) {
        throw notYet();
    }

    /** Removes a listener, if it is there. */
    public void removeListener(ConnectionListener listener) {
        throw notYet();
    }

    /** Sends the data of a buffer. */
    public Completion<Long> send(Buf message) {
        throw notYet();
    }

    /** Sends the data of a buffer. */
    public void send(Buf message, RdmaHandler handler) {
        throw notYet();
    }

    /** Prepares a send. */
    public RdmaTask sendTask(Buf message) {
        throw notYet();
    }

    /** Sends the data of a buffer, and 4 bytes. */
    public Completion<Long> sendImmediate(Buf message, int immediate) {
        throw notYet();
    }

    /** Sends the data of a buffer, and 4 bytes. */
    public void sendImmediate(Buf message, int immediate, RdmaHandler handler) {
        throw notYet();
    }

    /** Prepares a send with immediate data. */
    public RdmaTask sendImmediateTask(Buf message, int immediate) {
        throw notYet();
    }

    /** Reads the peer's memory. */
    public Completion<Long> read(Buf remote, Buf target) {
        throw notYet();
    }

    /** Reads the peer's memory. */
    public void read(Buf remote, Buf target, RdmaHandler handler) {
        throw notYet();
    }

    /** Prepares a read. */
    public RdmaTask readTask(Buf remote, Buf target) {
        throw notYet();
    }

    /** Writes to the peer's memory. */
    public Completion<Long> write(Buf source, Buf remote) {
        throw notYet();
    }

    /** Writes to the peer's memory. */
    public void write(Buf source, Buf remote, RdmaHandler handler) {
        throw notYet();
    }

    /** Prepares a write. */
    public RdmaTask writeTask(Buf source, Buf remote) {
        throw notYet();
    }

    /** Writes to the peer's memory, and gives it 4 bytes by a receive. */
    public Completion<Long> writeImmediate(Buf source, Buf remote, int immediate) {
        throw notYet();
    }

    /** Writes to the peer's memory, and gives it 4 bytes by a receive. */
    public void writeImmediate(Buf source, Buf remote, int immediate, RdmaHandler handler) {
        throw notYet();
    }

    /** Prepares a write with immediate data. */
    public RdmaTask writeImmediateTask(Buf source, Buf remote, int immediate) {
        throw notYet();
    }

    /** Replaces 8 bytes of the peer's memory if they are as expected; completes with what they were. */
    public Completion<Long> compareAndSwap(Buf remote, long expected, long replacement) {
        throw notYet();
    }

    /** Replaces 8 bytes of the peer's memory if they are as expected. */
    public void compareAndSwap(Buf remote, long expected, long replacement, RdmaHandler handler) {
        throw notYet();
    }

    /** Prepares a compare-and-swap. */
    public RdmaTask compareAndSwapTask(Buf remote, long expected, long replacement) {
        throw notYet();
    }

    /** Adds to 8 bytes of the peer's memory; completes with what they were. */
    public Completion<Long> fetchAdd(Buf remote, long addend) {
        throw notYet();
    }

    /** Adds to 8 bytes of the peer's memory. */
    public void fetchAdd(Buf remote, long addend, RdmaHandler handler) {
        throw notYet();
    }

    /** Prepares a fetch-and-add. */
    public RdmaTask fetchAddTask(Buf remote, long addend) {
        throw notYet();
    }

    private static UnsupportedOperationException notYet() {
        return new UnsupportedOperationException("Not yet");
    }
}
