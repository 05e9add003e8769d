/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The limit of open files of this process, for messages: many functions report it as if a file or a peer did not exist. */
public final class OpenFiles {

    /** What to do if the limit is reached; part of messages. */
    public static final String REMEDY =
            "this process has too many open files: close some, or raise the limit (ulimit -n)";

    private OpenFiles() {}

    /** Returns whether this process cannot open a file now. */
    public static boolean isLimitReached() {
        try (DirectoryStream<Path> root = Files.newDirectoryStream(Path.of("/"))) {
            // It has entries.
            return !root.iterator().hasNext();
        } catch (AccessDeniedException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }
}
