/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.docs.ways;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Traces the ways of some operations, and writes them for {@code docs/internals.md} to the file that is its argument. */
public final class TracedWays {

    private TracedWays() {}

    /** Traces and writes. */
    public static void main(String[] arguments) throws Exception {
        Method all = Class.forName(TracedOperations.class.getName(), true, new TracingLoader())
                .getMethod("all");
        List<String> lines = new ArrayList<>();
        lines.add("| way | files | calls |");
        lines.add("|---|---|---|");
        List<Trace.Way> ways =
                ((List<?>) all.invoke(null)).stream().map(Trace.Way.class::cast).toList();
        for (Trace.Way way : ways) {
            lines.add("| " + way.name() + " | " + way.files().size() + " | " + (way.calls() < 0 ? "" : way.calls())
                    + " |");
        }
        for (Trace.Way way : ways) {
            lines.add("");
            lines.add("* " + way.name() + ": `" + String.join("`, `", new TreeSet<>(way.files())) + "`");
        }
        Files.write(Path.of(arguments[0]), lines);
    }
}
