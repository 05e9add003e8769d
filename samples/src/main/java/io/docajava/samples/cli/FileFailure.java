/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Describes failures of file operations that Java expresses only by the type of an exception. */
final class FileFailure {

    private FileFailure() {}

    static String describe(IOException failure) {
        return failure instanceof FileSystemException files
                ? files.getFile() + ": " + reason(files)
                : String.valueOf(failure.getMessage());
    }

    private static String reason(FileSystemException failure) {
        if (failure.getReason() != null) {
            return failure.getReason();
        }
        return switch (failure) {
            case NoSuchFileException missing -> "there is no such file or folder";
            case AccessDeniedException denied -> "it may not be accessed";
            case FileAlreadyExistsException existing -> "it exists already";
            default -> "it cannot be used";
        };
    }
}
