/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/**
 * The mappings of a process as {@code /proc/self/maps} lists them, in the order of their addresses. Read as bytes: a JVM has
 * hundreds of mappings, and memory is registered in the paths of some programs.
 */
final class MappingList {

    private static final int END = -1;

    private final InputStream text;
    private final byte[] buffer = new byte[8192];
    private int next;
    private int limit;

    MappingList(InputStream text) {
        this.text = text;
    }

    /**
     * Returns whether a mapping that overlaps a range is of a file. Called once.
     *
     * @param from the first address of the range
     * @param to the address after the range
     * @throws IOException if the list cannot be read, or is not one of mappings
     */
    boolean isAnyOfFile(long from, long to) throws IOException {
        // address-address permissions offset device inode path
        for (int first = read(); first != END; first = read()) {
            long start = hexadecimal(first, '-');
            if (Long.compareUnsigned(start, to) >= 0) {
                return false;
            }
            long end = hexadecimal(required(), ' ');
            if (Long.compareUnsigned(end, from) > 0 && isOfFile()) {
                return true;
            }
            skipTo('\n');
        }
        return false;
    }

    /** Reads on from the permissions, and returns whether the number of the inode is not 0. */
    private boolean isOfFile() throws IOException {
        skipTo(' ');
        skipTo(' ');
        skipTo(' ');
        return required() != '0';
    }

    private long hexadecimal(int first, char end) throws IOException {
        long number = 0;
        for (int digit = first; digit != end; digit = required()) {
            int value = Character.digit(digit, 16);
            if (value < 0) {
                throw new IOException("'" + (char) digit + "' is not a digit of an address");
            }
            number = number << 4 | value;
        }
        return number;
    }

    private void skipTo(char end) throws IOException {
        while (required() != end) {
            // The text between is not needed.
        }
    }

    private int required() throws IOException {
        int read = read();
        if (read == END) {
            throw new EOFException("The list ends within a line");
        }
        return read;
    }

    private int read() throws IOException {
        if (next == limit) {
            next = 0;
            limit = Math.max(text.read(buffer), 0);
            if (limit == 0) {
                return END;
            }
        }
        return buffer[next++] & 0xff;
    }
}
