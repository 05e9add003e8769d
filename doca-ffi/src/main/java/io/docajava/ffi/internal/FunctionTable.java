/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The functions of the DOCA libraries, and the releases that brought them: {@code symbols.tsv}. */
final class FunctionTable {

    private static final String RESOURCE = "/io/docajava/ffi/symbols.tsv";

    private final Map<String, Entry> entries;

    private FunctionTable(Map<String, Entry> entries) {
        this.entries = entries;
    }

    /**
     * One function.
     *
     * @param library that exports it, by its short name
     * @param function its C name
     * @param since the first release that has it with the signature that is bound here, such as {@code 2.9}
     * @param otherSignatureSince the first release that had it with another signature, if there was one
     */
    record Entry(
            String library,
            String function,
            String since,
            @Nullable String otherSignatureSince) {}

    static FunctionTable get() {
        return Holder.TABLE;
    }

    /** The function of that C name. */
    Entry function(String name) {
        Entry entry = entries.get(name);
        if (entry == null) {
            throw new IllegalArgumentException("doca-java knows no DOCA function \"" + name + "\"");
        }
        return entry;
    }

    Collection<Entry> functions() {
        return entries.values();
    }

    /** The libraries by their short names. */
    Set<String> libraries() {
        return entries.values().stream().map(Entry::library).collect(Collectors.toUnmodifiableSet());
    }

    private static FunctionTable read() {
        Map<String, Entry> entries = new HashMap<>();
        try (InputStream in = FunctionTable.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("doca-ffi is incomplete: its resource " + RESOURCE + " is missing");
            }
            BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.startsWith("#")) {
                    String[] columns = line.split("\t", -1);
                    String other = columns.length > 4 ? columns[4] : null;
                    entries.put(columns[1], new Entry(columns[0], columns[1], columns[2], other));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("doca-ffi's resource " + RESOURCE + " cannot be read", e);
        }
        return new FunctionTable(Map.copyOf(entries));
    }

    private static final class Holder {
        static final FunctionTable TABLE = read();
    }
}
