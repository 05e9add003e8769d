/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.comch.internal.CommMessageImpl;
import io.docajava.core.memory.MmapExport;
import io.docajava.core.sync.SyncEventExport;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A message that was received on a {@link CommConnection}. It is immutable, and any thread may use it. */
public sealed interface CommMessage permits CommMessageImpl {

    /** {@return the length in bytes, 1 or more} */
    int length();

    /** {@return a new array with a copy of the bytes} */
    byte[] bytes();

    /** {@return a new read-only buffer of the bytes, which are not copied} */
    ByteBuffer buffer();

    /** {@return the bytes decoded from UTF-8; malformed bytes become replacement characters} */
    String text();

    /**
     * {@return the export that the peer has sent by {@link CommConnection#sendExport(MmapExport)}; empty if this is another
     * message}
     */
    Optional<MmapExport> mmapExport();

    /**
     * {@return the export that the peer has sent by {@link CommConnection#sendExport(SyncEventExport)}; empty if this is another
     * message}
     */
    Optional<SyncEventExport> syncEventExport();
}
