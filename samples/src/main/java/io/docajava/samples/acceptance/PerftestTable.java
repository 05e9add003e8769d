/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.acceptance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A table in the form of perftest: the figures of an operation by size.
 *
 * @param operation write, read or send
 * @param quantity bandwidth or latency
 * @param columns the names of the columns, as perftest writes them
 * @param rows the cells of each row
 */
record PerftestTable(String operation, String quantity, List<String> columns, List<List<String>> rows) {

    /** Parses the tables in the output of the sample rdma_perf. */
    static List<PerftestTable> parse(String output) {
        List<PerftestTable> tables = new ArrayList<>();
        String[] title = {};
        for (String line : output.lines().toList()) {
            String text = line.strip();
            if (text.startsWith("RDMA ")) {
                title = text.split("[ ,]+", 4);
            } else if (text.startsWith("#bytes")) {
                // A name with a space ends with the unit in brackets.
                List<String> columns = List.of(text.split("(?<=]) +| {2,}", -1));
                tables.add(new PerftestTable(title[1], title[2], columns, new ArrayList<>()));
            } else if (!tables.isEmpty() && text.matches("[0-9].*")) {
                tables.getLast().rows().add(Arrays.asList(text.split(" +", -1)));
            }
        }
        return tables;
    }
}
