/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The functions of the DOCA libraries, and the releases that introduced them: {@code symbols.tsv}. */
final class FunctionTable {

    private static final String RESOURCE = "/io/docajava/ffi/symbols.tsv";

    /** The lines of the table by function. They are parsed on demand, because a process calls few of the many functions. */
    private final Map<String, String> lines;

    private FunctionTable(Map<String, String> lines) {
        this.lines = lines;
    }

    /**
     * One function.
     *
     * @param library the short name of the library that exports it
     * @param function its C name
     * @param since the first release that has it with the signature bound here, such as {@code 2.9}
     * @param otherSignatureSince the first release that had it with another signature, if there was one
     * @param formerName the name that releases before {@code since} have for the same function, if there is one
     * @param lackedSince the first known release that lacks it again, if there is one
     */
    record Entry(
            String library,
            String function,
            String since,
            @Nullable String otherSignatureSince,
            @Nullable String formerName,
            @Nullable String lackedSince) {

        static Entry of(String line) {
            String[] columns = line.split("\t", -1);
            return new Entry(
                    columns[0], columns[1], columns[2], column(columns, 4), column(columns, 5), column(columns, 6));
        }

        private static @Nullable String column(String[] columns, int index) {
            return columns.length > index && !columns[index].isEmpty() ? columns[index] : null;
        }
    }

    static FunctionTable get() {
        return Holder.TABLE;
    }

    /** Returns the function with that C name. */
    Entry function(String name) {
        String line = lines.get(name);
        if (line == null) {
            throw new IllegalArgumentException("doca-java knows no DOCA function \"" + name + "\"");
        }
        return Entry.of(line);
    }

    Collection<Entry> functions() {
        return lines.values().stream().map(Entry::of).toList();
    }

    /** Returns the short names of the libraries. */
    Set<String> libraries() {
        return functions().stream().map(Entry::library).collect(Collectors.toUnmodifiableSet());
    }

    private static FunctionTable read() {
        try (InputStream in = FunctionTable.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("doca-ffi is incomplete: its resource " + RESOURCE + " is missing");
            }
            return new FunctionTable(linesByFunction(new String(in.readAllBytes(), StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException("doca-ffi's resource " + RESOURCE + " cannot be read", e);
        }
    }

    private static Map<String, String> linesByFunction(String table) {
        Map<String, String> lines = new HashMap<>(2048);
        int begin = 0;
        for (int end = table.indexOf('\n'); end >= 0; end = table.indexOf('\n', begin)) {
            if (table.charAt(begin) != '#') {
                int name = table.indexOf('\t', begin) + 1;
                lines.put(table.substring(name, table.indexOf('\t', name)), table.substring(begin, end));
            }
            begin = end + 1;
        }
        return lines;
    }

    private static final class Holder {
        static final FunctionTable TABLE = read();
    }
}
