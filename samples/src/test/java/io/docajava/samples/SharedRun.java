/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import io.docajava.samples.SampleProcess.Result;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A run of a sample in a {@link SharedJvm}, with a test in place of its user. */
final class SharedRun implements AutoCloseable {

    private final SharedJvm jvm;
    private final List<String> out = new ArrayList<>();
    private final List<String> err = new ArrayList<>();
    private boolean ended;

    SharedRun(SharedJvm jvm) {
        this.jvm = jvm;
    }

    /**
     * Waits until a line with this text was printed to standard output, and returns this run. Without such a line it kills the process
     * and fails.
     */
    SharedRun awaitOut(String text) throws InterruptedException {
        try {
            while (out.stream().noneMatch(line -> line.contains(text))) {
                String line = jvm.nextOut();
                if (line.startsWith(SampleLoop.END)) {
                    throw new AssertionError("It did not print \"" + text + "\" but " + out);
                }
                out.add(line);
            }
            return this;
        } catch (Throwable failure) {
            close();
            throw failure;
        }
    }

    /** Types the input for which the sample waits. */
    void type(String keys) throws IOException {
        jvm.type(keys);
    }

    /** Waits for the end of the run, after which another one may use the process. */
    Result end() throws InterruptedException {
        int exitCode = exitCode(readRest());
        for (String line = jvm.nextErr(); !line.startsWith(SampleLoop.END); line = jvm.nextErr()) {
            err.add(line);
        }
        ended = true;
        jvm.giveBack();
        return new Result(exitCode, jvm.pid(), List.copyOf(out), List.copyOf(err));
    }

    /** Reads the remaining output and returns its end line. */
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

    /** Kills the process of a run that has not ended, because its test has failed. */
    @Override
    public void close() {
        if (!ended) {
            jvm.kill();
        }
    }
}
