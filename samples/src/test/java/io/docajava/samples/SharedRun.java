/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import io.docajava.samples.SampleProcess.Result;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A run of a sample in a {@link SharedJvm}, with a test in the place of its user. */
final class SharedRun implements AutoCloseable {

    private final SharedJvm jvm;
    private final List<String> out = new ArrayList<>();
    private final List<String> err = new ArrayList<>();
    private boolean ended;

    SharedRun(SharedJvm jvm) {
        this.jvm = jvm;
    }

    /** Waits until a line with this text was printed to standard output. */
    void awaitOut(String text) throws InterruptedException {
        while (out.stream().noneMatch(line -> line.contains(text))) {
            String line = jvm.nextOut();
            if (line.startsWith(SampleLoop.END)) {
                jvm.kill();
                throw new AssertionError("It did not print \"" + text + "\" but " + out);
            }
            out.add(line);
        }
    }

    /** Types to its standard input what it waits for. */
    void type(String keys) throws IOException {
        jvm.type(keys);
    }

    /** Waits for its end. */
    Result end() throws InterruptedException {
        int exitCode = exitCode(readRest());
        for (String line = jvm.nextErr(); !line.startsWith(SampleLoop.END); line = jvm.nextErr()) {
            err.add(line);
        }
        ended = true;
        jvm.end();
        return new Result(exitCode, jvm.pid(), List.copyOf(out), List.copyOf(err));
    }

    /** Gives the line behind the last one. */
    private String readRest() throws InterruptedException {
        String line = jvm.nextOut();
        while (!line.startsWith(SampleLoop.END)) {
            out.add(line);
            line = jvm.nextOut();
        }
        return line;
    }

    private static int exitCode(String end) {
        return Integer.parseInt(end.substring(SampleLoop.END.length()));
    }

    /** A run that has not ended by itself, as a test has failed, ends with its process. */
    @Override
    public void close() {
        if (!ended) {
            jvm.kill();
            jvm.end();
        }
    }
}
